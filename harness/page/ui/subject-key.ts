import type { Subject } from '../protocol/details.ts';

/** Writes a subject as text, for an attribute of its box: `object pods default/web-1`. */
export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'object':
      return `object ${subject.resource} ${subject.key}`;
    case 'component':
    case 'node':
    case 'host':
      return `${subject.kind} ${subject.name}`;
    case 'message':
      return `message ${subject.id}`;
    case 'request':
      return `request ${subject.number}`;
    case 'apiserver':
      return `apiserver ${subject.index}`;
  }
}

/** Reads a subject that {@link subjectKey} has written; undefined for any other text. */
export function subjectOf(text: string): Subject | undefined {
  const [kind, first = '', second = ''] = text.split(' ');
  switch (kind) {
    case 'object':
      return { kind, resource: first, key: second };
    case 'component':
    case 'node':
    case 'host':
      return { kind, name: first };
    case 'message':
      return { kind, id: Number(first) };
    case 'request':
      return { kind, number: Number(first) };
    case 'apiserver':
      return { kind, index: Number(first) };
    default:
      return undefined;
  }
}
