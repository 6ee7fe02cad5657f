/** What went wrong with a question, for as long as nothing newer has been answered. */
export function Trouble({ text }: { text: string }) {
  if (!text) return null;
  return (
    <span class="bad trouble" role="alert" title={text}>
      {text}
    </span>
  );
}
