import type { ConfigMap } from '../../api/objects.ts';
import type { HistoryEntry, InformerHistory, Notification } from './history.ts';
import { nameOf } from './render/names.ts';
import type { HandlerName } from './scenario.ts';

/** The objects that each handler knows from its notifications. */
export class Views {
  readonly #views = new Map<string, ConfigMap>();

  /** Applies a notification. Returns the state of the object that the handler knew before. */
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

/** Returns the view of each handler when everything should have settled. */
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

/** Returns the uids of the objects whose DELETED event arrived before `until`. */
export function deletedBefore({ entries }: InformerHistory, until: HistoryEntry): ReadonlySet<string> {
  const before = entries.slice(0, entries.indexOf(until));
  return new Set(
    before.flatMap((entry) =>
      entry.kind === 'event' && entry.event.type === 'DELETED' ? [entry.event.object.metadata.uid] : [],
    ),
  );
}
