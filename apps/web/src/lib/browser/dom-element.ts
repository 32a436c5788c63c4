/** An element of the page, for what is drawn before the framework is there. */
export function element(
  tag: string,
  className: string,
  children: readonly (Node | string)[] = [],
): HTMLElement {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}

/** Words without the translation library: `{{name}}` filled in. */
export const fillWords = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? '')
