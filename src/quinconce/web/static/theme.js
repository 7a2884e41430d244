/** Light or dark as it was chosen, before anything is drawn: a page in a file has no server to ask. */
{
  const wanted = document.cookie.match(/(?:^|; )theme=(light|dark)/)?.[1];
  if (wanted) document.documentElement.dataset.theme = wanted;
}
