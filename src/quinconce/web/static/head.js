/** What a page of the folder does before anything is drawn, and before its modules are there. */
{
  // Light or dark as it was chosen: a page in a file has no server to ask.
  const wanted = document.cookie.match(/(?:^|; )theme=(light|dark)/)?.[1];
  if (wanted) document.documentElement.dataset.theme = wanted;

  // When another version takes over, this page is loaded anew by it.
  const workers = navigator.serviceWorker;
  let controlled = Boolean(workers?.controller);
  workers?.addEventListener("controllerchange", () => {
    if (controlled) location.reload();
    controlled = true;
  });

  // What is touched will be asked about soon.
  addEventListener("pointerdown", async ({ target }) => {
    if (!(target instanceof Element) || !target.closest("game-board")) return;
    (await import("./device.js")).prepareDevice();
  });
}
