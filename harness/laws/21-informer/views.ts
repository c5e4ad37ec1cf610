import type { ConfigMap } from '../../api/objects.ts';
import type { HistoryEntry, InformerHistory, Notification } from './history.ts';
import { nameOf } from './names.ts';
import type { HandlerName } from './scenario.ts';

/** What each handler believes to be there. */
export class Views {
  readonly #views = new Map<string, ConfigMap>();

  /** Takes note of what a handler is told; gives what it believed of that object before. */
  told(handler: HandlerName, what: Notification): ConfigMap | undefined {
    const id = `${handler} ${nameOf(what)}`;
    const last = this.#views.get(id);
    if (what.type === 'delete') this.#views.delete(id);
    else this.#views.set(id, what.type === 'update' ? what.current : what.object);
    return last;
  }

  of(handler: HandlerName): ConfigMap[] {
    return [...this.#views].flatMap(([id, object]) => (id.startsWith(`${handler} `) ? [object] : []));
  }
}

/** What each handler believes when everything should have settled. */
export function quietViews({
  entries,
  handlers,
}: InformerHistory): { handler: HandlerName; atMs: number; view: ConfigMap[] }[] {
  const quiet = entries.findIndex((entry) => entry.kind === 'mark' && entry.mark === 'quiet');
  const views = new Views();
  for (const entry of entries.slice(0, quiet))
    if (entry.kind === 'told') views.told(entry.handler, entry.what);
  const atMs = entries[quiet]?.atMs ?? 0;
  return handlers.map((handler) => ({ handler, atMs, view: views.of(handler) }));
}

/** The uids of the objects of which the informer was told before `until` that they are deleted. */
export function deletedBefore({ entries }: InformerHistory, until: HistoryEntry): ReadonlySet<string> {
  const before = entries.slice(0, entries.indexOf(until));
  return new Set(
    before.flatMap((entry) =>
      entry.kind === 'event' && entry.event.type === 'DELETED' ? [entry.event.object.metadata.uid] : [],
    ),
  );
}
