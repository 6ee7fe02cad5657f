/** How many ways of playing there are from here, depth by depth. */

import { useEffect, useState } from "preact/hooks";
import type { Count as Counted } from "../protocol.ts";
import { grouped, seconds } from "../rail/words.ts";
import { usePage } from "../store/page.ts";

const DEPTHS = [1, 2, 3, 4, 5, 6, 7, 8];

export function Count() {
  const page = usePage();
  const { thinking, play } = page;
  const [depth, setDepth] = useState(4);
  const [counts, setCounts] = useState<Counted[]>([]);
  const [wrong, setWrong] = useState("");
  const at = play.at.value;
  const counting = thinking.purpose.value === "count";
  useEffect(() => {
    setCounts([]);
    setWrong("");
  }, [at]);
  const count = async () => {
    setCounts([]);
    setWrong("");
    const where = play.where();
    const found = await thinking.errand(
      "count",
      (signal) => {
        const heard = (one: Counted) => !signal.aborted && setCounts((before) => [...before, one]);
        return page.ask("perft", { ...where, depth }, { heard, signal });
      },
      setWrong,
    );
    if (found && play.at.value === at) setCounts(found.counts);
  };
  return (
    <section aria-labelledby="count">
      <header>
        <h2 id="count">Ways to play from here</h2>
      </header>
      <div class="asks">
        <label>
          moves deep
          <select class="field" value={String(depth)} onChange={(event) => setDepth(Number(event.currentTarget.value))}>
            {DEPTHS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <StartOrCancel running={counting} start={() => void count()} name="Count" />
      </div>
      {wrong && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
      {counts.length > 0 && (
        <table class="counts">
          <thead>
            <tr>
              <th scope="col">depth</th>
              <th scope="col">ways</th>
              <th scope="col">time</th>
            </tr>
          </thead>
          <tbody>
            {counts.map((one) => (
              <tr key={one.depth}>
                <th scope="row">{one.depth}</th>
                <td>{grouped(one.count)}</td>
                <td>{seconds(one.seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

export function StartOrCancel(props: { running: boolean; start: () => void; name: string }) {
  const { thinking } = usePage();
  return props.running ? (
    <button type="button" class="button edged" title="Cancel (Esc)" onClick={() => thinking.cancel()}>
      Cancel
    </button>
  ) : (
    <button type="button" class="button main" disabled={thinking.busy.value && isErrand()} onClick={props.start}>
      {props.name}
    </button>
  );

  function isErrand(): boolean {
    return thinking.purpose.value === "count" || thinking.purpose.value === "match";
  }
}
