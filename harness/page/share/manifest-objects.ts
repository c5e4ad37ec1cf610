/** The most objects that {@link objectsIn} names. */
const NAMED_MAX = 3;

/** Names the objects of a manifest: `Deployment web, Service web`. Empty if it has none that can be read. */
export function objectsIn(manifest: string): string {
  const names = manifest.split(/^---.*$/m).flatMap((document) => {
    const [, kind] = /^kind:\s*["']?([\w-]+)/m.exec(document) ?? [];
    const [, name] = /^metadata:.*\n(?:[ #].*\n|\n)*? +name:\s*["']?([^\s"'#]+)/m.exec(document) ?? [];
    return kind === undefined || name === undefined ? [] : [`${kind} ${name}`];
  });
  const others = names.length - NAMED_MAX;
  return [...names.slice(0, NAMED_MAX), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
