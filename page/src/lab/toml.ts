// Changes keys in the text of a configuration, and leaves everything else as it is.

/** Where no configuration is known. */
export const kFresh = '[run]\nvariant = "chess"\nminutes = 10\n';

/** `text` with `section.key` set to `value`, TOML as it was typed; a comment behind the old value stays. */
export function setKey(text: string, name: string, value: string): string {
  const dot = name.indexOf(".");
  const section = name.slice(0, dot), key = name.slice(dot + 1);
  const lines = text.split("\n");
  let inside = false, end = -1;
  for (let i = 0; i < lines.length; ++i) {
    const heading = /^\s*\[\s*([^\]]*?)\s*\]/.exec(lines[i]);
    if (heading) {
      inside = heading[1] === section;
      if (inside) end = i;
      continue;
    }
    if (!inside) continue;
    if (lines[i].trim() !== "") end = i;
    const found = new RegExp(`^(\\s*${key}\\s*=\\s*)((?:"(?:\\\\.|[^"])*"|'[^']*'|[^#"'])*?)(\\s*(?:#.*)?)$`).exec(lines[i]);
    if (found) {
      lines[i] = found[1] + value + found[3];
      return lines.join("\n");
    }
  }
  if (end >= 0) lines.splice(end + 1, 0, `${key} = ${value}`);
  else {
    while (lines.length > 0 && lines[lines.length - 1].trim() === "") lines.pop();
    lines.push(...(lines.length > 0 ? [""] : []), `[${section}]`, `${key} = ${value}`, "");
  }
  return lines.join("\n");
}
