import { freezeObject } from '../../../api/freeze.ts';
import type { ConfigMap, KubeObject, List } from '../../../api/objects.ts';
import { groupVersion, type Resource } from '../../../api/resource.ts';
import { errors } from '../../../api/status.ts';
import type { WatchEvent } from '../../../api/watch-event.ts';
import type { Client, ListOptions, Watch, WatchOptions } from '../../../contracts/client.ts';
import { WatchQueue } from '../../../contracts/watch-queue.ts';

/** The answer to one watch: a stream of events, or an error. */
export type ScriptedWatch<T extends KubeObject> =
  | {
      readonly events: readonly WatchEvent<T>[];
      /** Whether the stream ends after the events. */
      readonly ends: boolean;
    }
  | Error;

/** The answers of the server. */
export interface Script<T extends KubeObject> {
  /** Answers a list; throws the error of a refusal. */
  list(options: ListOptions): List<T>;
  /** The answers to watches, in order. After the last one, a watch stays open without events. */
  readonly watches?: readonly ScriptedWatch<T>[];
}

/** One request to the server. */
export interface Asked {
  readonly verb: 'list' | 'watch';
  readonly resourceVersion: string;
  readonly options: ListOptions & Omit<WatchOptions, 'resourceVersionMatch'>;
}

/**
 * A server with scripted answers, which records the requests. It serves tests of answers that a real server gives too
 * rarely.
 */
export class ScriptedServer<T extends KubeObject> implements Pick<Client, 'list' | 'watch'> {
  readonly asked: Asked[] = [];
  readonly #script: Script<T>;
  readonly #watches: ScriptedWatch<T>[];

  constructor(script: Script<T>) {
    this.#script = script;
    this.#watches = [...(script.watches ?? [])];
  }

  /** The requests, as verb and resourceVersion: `list 0`, `watch 10`. */
  get requests(): string[] {
    return this.asked.map(({ verb, resourceVersion }) => `${verb} ${resourceVersion || '""'}`);
  }

  async list<U extends KubeObject>(_resource: Resource<U>, options: ListOptions = {}): Promise<List<U>> {
    this.asked.push({ verb: 'list', resourceVersion: options.resourceVersion ?? '', options });
    options.signal?.throwIfAborted();
    const { resourceVersion = '', continue: token } = options;
    if (token && resourceVersion !== '' && resourceVersion !== '0') {
      throw errors.badRequest('specifying resource version is not allowed when using continue');
    }
    return this.#script.list(options) as unknown as List<U>;
  }

  async watch<U extends KubeObject>(_resource: Resource<U>, options: WatchOptions = {}): Promise<Watch<U>> {
    this.asked.push({ verb: 'watch', resourceVersion: options.resourceVersion ?? '', options });
    options.signal?.throwIfAborted();
    const next = this.#watches.shift();
    if (next instanceof Error) throw next;
    const stream = new WatchQueue<U>();
    for (const event of next?.events ?? []) stream.push(event as unknown as WatchEvent<U>);
    if (next?.ends) stream.end();
    options.signal?.addEventListener('abort', () => stream.stop(), { once: true });
    return stream;
  }
}

/** Returns a ConfigMap as a server returns it. `kind` may be wrong, for a test of the check. */
export function configMap(name: string, resourceVersion: string, kind = 'ConfigMap'): ConfigMap {
  return freezeObject({
    apiVersion: 'v1',
    kind,
    metadata: {
      namespace: 'default',
      name,
      uid: `uid-of-${name}`,
      resourceVersion,
      creationTimestamp: '2024-04-17T00:00:00Z',
    },
  });
}

/** Returns a page of a list, as a server returns it. */
export function listOf<T extends KubeObject>(
  resource: Resource<T>,
  resourceVersion: string,
  items: readonly T[],
  more?: string,
): List<T> {
  return freezeObject({
    apiVersion: groupVersion(resource),
    kind: `${resource.kind}List`,
    metadata: { resourceVersion, ...(more === undefined ? {} : { continue: more }) },
    items: [...items],
  });
}
