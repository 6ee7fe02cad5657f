export function BoardPart() {
  return <section class="board" />;
}
