(async () => {
  const text = async (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).text();
  };
  for (const tag of ["style", "script"]) {
    const element = document.createElement(tag);
    element.textContent = await text(tag);
    document.head.append(element);
  }
})().catch(() => {
  document.getElementById("app").textContent = "This game needs a newer browser.";
});
