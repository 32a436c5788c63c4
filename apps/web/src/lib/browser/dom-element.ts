/** Creates a DOM element without a framework. */
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

/** Replaces `{{name}}` in a text, without the translation library. */
export const fillWords = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? '')
