export function RailPart() {
  return <section class="rail" />;
}
