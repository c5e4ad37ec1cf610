import type { KubeObject } from '../../../../api/objects.ts';
import type { WatchEvent } from '../../../../api/watch-event.ts';
import type { StorePreconditions } from '../../../../contracts/store/index.ts';
import { counterOf, type ObjectAnswer, type ObjectCall } from '../history.ts';
import type { Selection } from '../scenario/index.ts';

/** Formats an object: `a/x (n 2, app a) at 7`. */
export function sayObject(object: KubeObject): string {
  const { namespace, name, labels, resourceVersion } = object.metadata;
  return `${namespace}/${name} (n ${counterOf(object)}, app ${labels?.app}) at ${resourceVersion}`;
}

/** Formats an object. If another one looks alike, the text also has the fields in which they differ. */
export function sayUnlike(object: KubeObject, other: KubeObject): string {
  return `${sayObject(object)}${sayObject(object) === sayObject(other) ? sayGap(other, object) : ''}`;
}

/** Formats the differences of an object from the right one, without its version: ` (status.n is 1 instead of 2)`. */
export function sayGap(object: KubeObject, right: KubeObject): string {
  const gaps = gapsOf(object, right, '').filter(([path]) => path !== 'metadata.resourceVersion');
  const said = gaps.map(
    ([path, is, expected]) => `${path} is ${sayField(is)} instead of ${sayField(expected)}`,
  );
  return said.length === 0 ? '' : ` (${said.join(', ')})`;
}

function sayField(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

function gapsOf(a: unknown, b: unknown, path: string): readonly (readonly [string, unknown, unknown])[] {
  const isFolder = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (!isFolder(a) || !isFolder(b)) return a === b ? [] : [[path, a, b]];
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  const of = (value: object, field: string): unknown => (value as Record<string, unknown>)[field];
  return [...fields].flatMap((field) =>
    gapsOf(of(a, field), of(b, field), path ? `${path}.${field}` : field),
  );
}

/** Formats objects. */
export function sayObjects(objects: readonly KubeObject[]): string {
  return objects.length === 0 ? 'no object' : objects.map(sayObject).join(', ');
}

/** Formats a selection. */
export function saySelection({ namespace, onlyApp }: Selection): string {
  return `${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}${onlyApp ? ' with app=a' : ''}`;
}

/** Formats options: `resourceVersion 7, limit 2`. */
export function sayOptions(options: object): string {
  const said = Object.entries(options).map(([key, value]) =>
    key === 'continue' ? 'continue' : `${key} ${value}`,
  );
  return said.length === 0 ? '' : ` (${said.join(', ')})`;
}

/** Formats a call. */
export function sayCall(call: ObjectCall): string {
  switch (call.call) {
    case 'create':
      return `create ${call.object.metadata.namespace}/${call.object.metadata.name}`;
    case 'get':
      return `get ${call.place.namespace}/${call.place.name}${sayOptions(call.options)}`;
    case 'update':
      return `update ${call.place.namespace}/${call.place.name}: ${call.change}${sayPreconditions(call.preconditions)}`;
    case 'delete':
      return `delete ${call.place.namespace}/${call.place.name}${sayPreconditions(call.preconditions)}`;
    case 'list':
      return `list ${saySelection(call.selection)}${sayOptions(call.options)}`;
  }
}

function sayPreconditions(preconditions: StorePreconditions | undefined): string {
  return preconditions ? ` if ${sayOptions(preconditions).trim()}` : '';
}

/** Formats an answer. */
export function sayObjectAnswer(answer: ObjectAnswer): string {
  if (answer.kind === 'object') return sayObject(answer.object);
  if (answer.kind === 'refused') return `${answer.reason}: ${answer.message}`;
  if (answer.kind === 'declined') return 'the error of the change';
  if (answer.kind === 'failed')
    return answer.error instanceof Error
      ? `${answer.error.name}: ${answer.error.message}`
      : String(answer.error);
  const { metadata, items } = answer.list;
  const more = (metadata as { continue?: string }).continue ? ', and more' : '';
  return `revision ${metadata.resourceVersion}: ${sayObjects(items)}${more}`;
}

/** Formats an event of a watch. */
export function sayWatchEvent(event: WatchEvent): string {
  if (event.type === 'ERROR') return `ERROR ${event.object.reason}: ${event.object.message}`;
  if (event.type !== 'BOOKMARK') return `${event.type} ${sayObject(event.object)}`;
  const { resourceVersion, annotations } = event.object.metadata;
  return `BOOKMARK at ${resourceVersion}${annotations ? ' (end of the initial events)' : ''}`;
}
