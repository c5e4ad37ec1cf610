import type { KubeObject } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';

/** Lines of a description. Tabs separate columns. */
export type Lines = readonly string[];

/** Indents lines by levels of two spaces. */
export function indented(lines: Lines, levels = 1): Lines {
  return lines.map((line) => '  '.repeat(levels) + line);
}

/** The text for an empty value. */
export const NONE = '<none>';
/** The text for a field that is not set. */
export const UNSET = '<unset>';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time as Go's `time.RFC1123Z`, in UTC: `Wed, 17 Apr 2024 00:00:00 +0000`. */
export function longTime(timestamp: string | null | undefined): string {
  if (!timestamp) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const time = new Date(timestamp);
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = `${two(time.getUTCDate())} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}`;
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':');
  return `${DAYS[time.getUTCDay()]}, ${date} ${clock} +0000`;
}

/** Lists entries in order, one a line: `Labels:\tapp=web`. */
export function labelLines(
  title: string,
  labels: Readonly<Record<string, string>> | undefined,
  indent = '',
): Lines {
  const entries = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return columnLines(
    title,
    entries.map(([key, value]) => `${key}=${value}`),
    indent,
  );
}

/** Lists texts below each other in the second column; `<none>` without texts. */
export function columnLines(title: string, texts: readonly string[], indent = ''): Lines {
  const [first = NONE, ...others] = texts;
  return [`${indent}${title}:\t${first}`, ...others.map((text) => `\t${text}`)];
}

/** The longest annotation that fits a line. Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go maxAnnotationLen */
const ANNOTATION_MAX = 140;
const HIDDEN: readonly string[] = ['kubectl.kubernetes.io/last-applied-configuration'];

/** Lists annotations. A long value begins on a new line. */
export function annotationLines(
  title: string,
  annotations: Readonly<Record<string, string>> | undefined,
): Lines {
  const shown = Object.entries(annotations ?? {})
    .filter(([key]) => !HIDDEN.includes(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, text]) => {
      const value = text.replace(/\n$/, '');
      if (value.length + key.length + 2 <= ANNOTATION_MAX && !value.includes('\n'))
        return [`${key}: ${value}`];
      const max = ANNOTATION_MAX - 2;
      const parts = value.split('\n').map((part) => (part.length > max ? `${part.slice(0, max)}...` : part));
      return [`${key}:`, ...parts.map((part) => `  ${part}`)];
    });
  return columnLines(title, shown);
}

/** The first lines of most descriptions. */
export function headLines({ metadata }: KubeObject): Lines {
  return [`Name:\t${metadata.name}`, `Namespace:\t${metadata.namespace ?? ''}`];
}

/** Labels and annotations of an object. */
export function metadataLines({ metadata }: KubeObject): Lines {
  return [...labelLines('Labels', metadata.labels), ...annotationLines('Annotations', metadata.annotations)];
}

/** The controller of an object, if it has one. */
export function controllerLines(object: KubeObject): Lines {
  const controller = controllerOf(object);
  return controller ? [`Controlled By:\t${controller.kind}/${controller.name}`] : [];
}
