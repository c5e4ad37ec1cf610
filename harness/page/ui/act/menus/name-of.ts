import type { Subject } from '../../../protocol/details.ts';

/** Names a subject as the heading of its menu: `pods default/web-1`, `kubelet-node-1`. */
export function nameOf(subject: Subject): string {
  switch (subject.kind) {
    case 'object':
      return `${subject.resource.split('.')[0]} ${subject.key}`;
    case 'component':
    case 'node':
    case 'host':
      return subject.name;
    case 'apiserver':
      return `apiserver-${subject.index}`;
    case 'message':
      return `#${subject.id}`;
    case 'request':
      return `request ${subject.number}`;
  }
}
