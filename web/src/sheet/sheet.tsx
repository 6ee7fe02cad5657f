/** The rules of the game that is open, in prose: texts of the service and of authors, shown as text. */

import "../styles/sheet.css";
import { useEffect, useState } from "preact/hooks";
import type { Paragraph, Sheet, SheetItem, SheetSection } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";

const LISTED = ["beginning", "values", "options", "levels"]; // sections whose items are short: a name and what it means

export function SheetPart() {
  const { sheet, wrong } = useSheet();
  if (wrong) return <p class="wrong">{wrong}</p>;
  if (!sheet) return null;
  return (
    <article class="sheet" aria-label={`The rules of ${sheet.title}`}>
      <header>
        <h2>{sheet.title}</h2>
        {sheet.author && <p class="author">{sheet.author}</p>}
        <Paragraphs of={sheet.about} />
      </header>
      {sheet.sections.map((section) => (
        <Section key={section.key} section={section} picture={sheet.picture} />
      ))}
    </article>
  );
}

function Section({ section, picture }: { section: SheetSection; picture: string }) {
  return (
    <section>
      <h3>{section.heading}</h3>
      <Paragraphs of={section.paragraphs} />
      {section.drawing && picture && (
        <img
          class="sheet-board"
          src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
          alt={`The board at the beginning: ${section.drawing}`}
        />
      )}
      {section.items.length > 0 &&
        (LISTED.includes(section.key) ? <Listed of={section.items} /> : <Told of={section.items} />)}
    </section>
  );
}

/** Kinds of moves and endings: each with a heading of its own. */
function Told({ of }: { of: SheetItem[] }) {
  return of.map((item, at) => (
    <div key={at} class="sheet-item">
      <h4>
        {item.name}
        {item.note && <span class="note">{item.note}</span>}
      </h4>
      <Paragraphs of={item.paragraphs} />
      {item.answers.length > 0 && (
        <>
          <p class="lead">{item.lead}</p>
          <ul>
            {item.answers.map((answer) => (
              <li key={answer.text}>{answer.text}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  ));
}

function Listed({ of }: { of: SheetItem[] }) {
  return (
    <dl>
      {of.map((item, at) => (
        <div key={at}>
          <dt>
            {item.name}
            {item.note && <span class="note">{item.note}</span>}
          </dt>
          <dd>
            <Paragraphs of={item.paragraphs} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Paragraphs({ of }: { of: Paragraph[] }) {
  return of.map((paragraph, at) => <p key={at}>{paragraph.text}</p>);
}

/** The sheet of the game that is open; while another one is on its way, still that of the last game. */
function useSheet(): { sheet: Sheet | null; wrong: string } {
  const page = usePage();
  const game = page.rules.game.value?.id;
  const [found, setFound] = useState<{ sheet: Sheet | null; wrong: string }>({ sheet: null, wrong: "" });
  useEffect(() => {
    if (!game) return;
    let late = false;
    page.ask("sheet", { game }).then(
      (sheet) => !late && setFound({ sheet, wrong: "" }),
      (error) => !late && setFound({ sheet: null, wrong: messageOf(error) }),
    );
    return () => {
      late = true;
    };
  }, [game]);
  return found;
}
