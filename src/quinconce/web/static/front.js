/** Leads from the top of the folder to the first page in a language that the reader knows. */
{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { lang, dataset } = document.documentElement;
  const wishes = navigator.languages.map((wish) => wish.slice(0, 2));
  const known = ["en", "fr"];
  const language = dataset.language ?? wishes.find((wish) => known.includes(wish)) ?? lang;
  location.replace(new URL(`../../${language}/index.html`, script.src));
}
