/** The file that the text comes from: saving it, and what happens when somebody else writes it. */

import { batch, computed, effect, signal } from "@preact/signals";
import type { PartOf } from "../protocol.ts";
import { download } from "../rail/copying.tsx";
import { lost } from "../store/connection.ts";
import type { Page } from "../store/page.ts";
import { failed, messageOf } from "../store/rules.ts";

export const SUFFIX = ".rules";

export class OpenFile {
  readonly saving = signal(false);
  readonly trouble = signal(""); // why it could not be saved
  readonly asksName = signal(false); // shipped and new rules get a name of their own first
  readonly disk = signal<PartOf<"watch"> | null>(null); // what somebody else has written over our changes

  /** Whether these rules are a file of the folder, which can be written. */
  readonly isFile = computed(() => this.page.rules.name.value.endsWith(SUFFIX));
  readonly unsaved = computed(() => {
    const { changed, digest } = this.page.rules;
    return changed.value || (this.page.can("save") && this.isFile.value && !digest.value);
  });

  constructor(private readonly page: Page) {}

  /** Saves the text; asks for a name first if it has none. */
  async save(force = false): Promise<void> {
    if (!this.page.can("save")) return this.download();
    if (!this.isFile.value) this.asksName.value = true;
    else await this.write(this.page.rules.name.value, this.page.rules.digest.value, force);
  }

  /** Saves the text as another file, which is open from then on. */
  async saveAs(name: string): Promise<void> {
    const named = name.endsWith(SUFFIX) ? name : `${name}${SUFFIX}`;
    const { rules, play } = this.page;
    if (!(await this.write(named, "", false))) return;
    this.asksName.value = false;
    const line = play.line.value;
    rules.name.value = named;
    await rules.check();
    await play.show(line);
  }

  /** Hands the text over as a file where there is no folder to save it in. */
  download(): void {
    const { rules } = this.page;
    const name = rules.name.value || "mine";
    download(name.endsWith(SUFFIX) ? name : `${name}${SUFFIX}`, rules.text.value);
    rules.saved.value = rules.text.value;
  }

  private async write(name: string, digest: string, force: boolean): Promise<boolean> {
    const { rules } = this.page;
    const text = rules.text.value;
    this.saving.value = true;
    this.trouble.value = "";
    try {
      const saved = await this.page.ask("save", { name, text, digest, ...(force && { force }) });
      batch(() => {
        rules.saved.value = text;
        rules.digest.value = saved.digest;
        this.disk.value = null;
      });
      return true;
    } catch (error) {
      if (failed(error, "changed") && this.isFile.value) await this.seeDisk();
      else this.trouble.value = messageOf(error);
      return false;
    } finally {
      this.saving.value = false;
    }
  }

  private async seeDisk(): Promise<void> {
    try {
      this.disk.value = await this.page.ask("open", { name: this.page.rules.name.value });
    } catch (error) {
      this.trouble.value = messageOf(error);
    }
  }

  /** Takes the text as it is on disk. */
  takeDisk(): void {
    const found = this.disk.value;
    if (found) this.replace(found);
  }

  /** What has been read or written on disk: takes it unless there are changes of our own. */
  heard(found: PartOf<"watch">): void {
    const { rules } = this.page;
    if (found.name !== rules.name.value || found.digest === rules.digest.value || this.saving.value) return;
    if (!rules.changed.value || found.text === rules.text.value) this.replace(found);
    else this.disk.value = found;
  }

  private replace(found: PartOf<"watch">): void {
    const { rules } = this.page;
    batch(() => {
      rules.edit(found.text);
      rules.saved.value = found.text;
      rules.digest.value = found.digest;
      this.disk.value = null;
      this.trouble.value = "";
    });
  }

  /** Watches the file while the page is visible.  Returns what ends it. */
  watch(): () => void {
    const { page } = this;
    if (!page.can("files")) return () => {};
    const visible = signal(!document.hidden);
    const look = () => {
      visible.value = !document.hidden;
    };
    document.addEventListener("visibilitychange", look);
    const known = computed(() => this.isFile.value && page.rules.digest.value !== "");
    const end = effect(() => {
      this.disk.value = null;
      const name = page.rules.name.value;
      if (!known.value || !visible.value || lost.value) return;
      const running = new AbortController();
      const heard = (found: PartOf<"watch">) => this.heard(found);
      page.ask("watch", { name }, { heard, signal: running.signal }).catch((error: unknown) => {
        if (!running.signal.aborted && !lost.peek()) this.trouble.value = messageOf(error);
      });
      return () => running.abort();
    });
    return () => {
      end();
      document.removeEventListener("visibilitychange", look);
    };
  }
}
