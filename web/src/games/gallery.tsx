export function Gallery() {
  return <section class="gallery" />;
}
