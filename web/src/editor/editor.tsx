export function EditorPart() {
  return <section class="rules" />;
}
