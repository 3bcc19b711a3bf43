// Sorting only: without scripts the page reads the same.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const first = [...body.rows];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const next = now === "descending" ? "ascending" : now === "ascending" ? null : "descending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      if (!next) return body.append(...first);
      head.setAttribute("aria-sort", next);
      const key = (row) => {
        const cell = row.cells[column];
        return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
      };
      const numbers = first.some((row) => typeof key(row) === "number");
      const value = (row) => (numbers && typeof key(row) !== "number" ? -Infinity : key(row));
      const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0);
      const sign = next === "ascending" ? 1 : -1;
      body.append(...[...first].sort((a, b) => sign * order(a, b)));
    });
  });
}
