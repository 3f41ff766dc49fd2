// Making elements.

type Attributes = Record<string, string | number | boolean | undefined | ((event: any) => void)>;
export type Child = Node | string | null | undefined;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    // The attribute would be refused by a content security policy.
    else if (name === "style") (element as HTMLElement | SVGElement).style.cssText = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
}

/** Makes an HTML element; attributes that are functions listen to the event of that name. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/** A text whose `words in backticks` are code. */
export function withCode(text: string): Child[] {
  return text.split("`").map((part, i) => (i % 2 === 1 ? el("code", {}, part) : part));
}

/** Makes an SVG element. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[Name] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

/** A button with an icon: the path of a 24 by 24 drawing. */
export function iconButton(label: string, path: string, click: () => void): HTMLButtonElement {
  return el("button", { type: "button", class: "icon", "aria-label": label, title: label, click },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path })));
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
