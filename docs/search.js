// What has exactly the name that is searched for comes first: an element, an attribute, a function, a section.
(() => {
  const rank = (link, words) => {
    const title = link.querySelector("h1, h2")?.textContent.trim().toLowerCase() ?? "";
    const name = title.replace(/¶$/, "").split(/[/.]/).pop();
    if (name !== words || title.startsWith("default/")) return 0;
    const path = new URL(link.href).pathname;
    if (/\/(models\/mjcf|reference)\//.test(path)) return path.endsWith("attributes.html") ? 2 : 3;
    return 1;
  };
  const promote = (list) => {
    const words = document.querySelector(".md-search__input")?.value.trim().toLowerCase();
    if (!words) return;
    let best = null;
    for (const link of list.querySelectorAll("a.md-search-result__link")) {
      const value = rank(link, words);
      if (value > (best?.value ?? 0)) best = { link, value };
    }
    if (!best || list.querySelector("a") === best.link) return;
    const item = best.link.closest("li");
    item.prepend(best.link);
    list.prepend(item);
  };
  const list = document.querySelector(".md-search-result__list");
  if (list) new MutationObserver(() => promote(list)).observe(list, { childList: true });
})();
