/** What the browser remembers of the reader's choices.  Where it may not remember anything, each visit is the first. */

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`pysolve.${name}`);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`pysolve.${name}`, value);
  } catch {
    // Then it holds until the page is left.
  }
}
