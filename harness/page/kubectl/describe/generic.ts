import type { ConfigMap, KubeObject, Namespace } from '../../../api/objects.ts';
import { headLines, indented, type Lines, longTime, metadataLines } from './text.ts';

const HEAD: readonly string[] = [
  '.metadata.managedFields',
  '.metadata.name',
  '.metadata.namespace',
  '.metadata.labels',
  '.metadata.annotations',
];

/**
 * Describes an object of any kind by its fields.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go genericDescriber.Describe
 */
export function genericLines(object: KubeObject): Lines {
  return [...headLines(object), ...metadataLines(object), ...fieldLines(object as object, '')];
}

function fieldLines(object: object, path: string): Lines {
  return Object.entries(object)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([field, value]: readonly [string, unknown]) => {
      const at = `${path}.${field}`;
      if (value === undefined || HEAD.includes(at)) return [];
      if (Array.isArray(value)) {
        const items = value.flatMap((item: unknown) =>
          isObject(item) && !Array.isArray(item) ? fieldLines(item, at) : [shown(item)],
        );
        return [`${titleOf(field)}:`, ...indented(items)];
      }
      if (isObject(value)) return [`${titleOf(field)}:`, ...indented(fieldLines(value, at))];
      return [`${titleOf(field)}:\t${shown(value)}`];
    });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const shown = (value: unknown): string => (value === null ? '<nil>' : String(value));

const ACRONYMS: readonly string[] = ['API', 'URL', 'UID', 'GUID'];

/** Returns the words of a field's name: `creationTimestamp` → `Creation Timestamp`. */
function titleOf(field: string): string {
  if (/[^\p{L}-]/u.test(field)) return field;
  return field
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(' ')
    .map((word) => {
      if (ACRONYMS.includes(word.toUpperCase())) return word.toUpperCase();
      return word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    })
    .join(' ');
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go ConfigMapDescriber.Describe */
export function configMapLines(configMap: ConfigMap): Lines {
  const { data = {}, binaryData = {} } = configMap;
  const sorted = (map: Readonly<Record<string, string>>) =>
    Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...headLines(configMap),
    ...metadataLines(configMap),
    '',
    'Data',
    '====',
    ...sorted(data).flatMap(([key, value]) => [`${key}:`, '----', ...value.split('\n'), '']),
    '',
    'BinaryData',
    '====',
    ...sorted(binaryData).map(([key, value]) => `${key}: ${atob(value).length} bytes`),
    '',
  ];
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeNamespace */
export function namespaceLines(namespace: Namespace): Lines {
  const { metadata, status } = namespace;
  const rows = (status.conditions ?? []).map(
    ({ type, status: is, lastTransitionTime, reason = '', message = '' }) =>
      [type, is, longTime(lastTransitionTime), reason, message].join('\t'),
  );
  return [
    `Name:\t${metadata.name}`,
    ...metadataLines(namespace),
    `Status:\t${status.phase ?? ''}`,
    ...(rows.length === 0
      ? []
      : [
          'Conditions:',
          ...indented([
            'Type\tStatus\tLastTransitionTime\tReason\tMessage',
            '----\t------\t------------------\t------\t-------',
            ...rows,
          ]),
        ]),
    '',
    'No resource quota.',
    '',
    'No LimitRange resource.',
  ];
}
