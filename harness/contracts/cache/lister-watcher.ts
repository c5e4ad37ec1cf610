import type { KubeObject, List } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { isExpired } from '../../api/status.ts';
import type { Random } from '../../sim/index.ts';
import type { Client, Selection, Watch } from '../client.ts';

/** Upstream: kubernetes/client-go@v0.36.3 tools/pager/pager.go defaultPageSize */
const PAGE_SIZE = 500;
/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go defaultMinWatchTimeout */
const WATCH_SECONDS_MIN = 300;

/** What a {@link ListerWatcher} lists and watches, and by which client. */
interface ListerWatcherOptions<T extends KubeObject> extends Selection {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly resource: Resource<T>;
  /** For how long watches last. */
  readonly random: Random;
}

/**
 * The requests that a reflector makes.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/listwatch.go ListerWatcher
 */
export class ListerWatcher<T extends KubeObject> {
  readonly #options: ListerWatcherOptions<T>;
  readonly #selection: Selection;

  constructor(options: ListerWatcherOptions<T>) {
    this.#options = options;
    const { namespace, labelSelector, fieldSelector } = options;
    this.#selection = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
  }

  /**
   * The whole list. If it comes in pages, all of them are of one version; if that expires between two pages, it is asked for
   * again in one piece.
   *
   * @param resourceVersion `'0'`: any version that the server has at hand; `''`: the newest; otherwise this one or a newer one
   * @throws what the client rejects with: `isExpired` and `isTooLargeResourceVersion` say that the server does not have the
   * version any more, or not yet
   */
  async list(resourceVersion: string, signal: AbortSignal): Promise<List<T>> {
    const { client, resource } = this.#options;
    const selection = { ...this.#selection, signal };
    // A list from a version comes whole out of the server's cache. A limit would send it to etcd.
    const limit = resourceVersion === '' || resourceVersion === '0' ? { limit: PAGE_SIZE } : {};
    const first = await client.list(resource, { ...selection, ...limit, resourceVersion });
    const items = [...first.items];
    let page = first;
    while (page.metadata.continue) {
      try {
        page = await client.list(resource, { ...selection, ...limit, continue: page.metadata.continue });
      } catch (error) {
        if (!isExpired(error)) throw error;
        return client.list(resource, { ...selection, resourceVersion });
      }
      items.push(...page.items);
    }
    return { ...first, metadata: { resourceVersion: first.metadata.resourceVersion }, items };
  }

  /** Changes after this version, and bookmarks. The server ends the stream after 5 to 10 minutes. */
  watch(resourceVersion: string, signal: AbortSignal): Promise<Watch<T>> {
    const { client, resource } = this.#options;
    return client.watch(resource, {
      ...this.#selection,
      resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: this.#timeoutSeconds(),
      signal,
    });
  }

  /**
   * A streaming list: what there is, as one `ADDED` event an object, then the bookmark of which `isInitialEventsEnd` is true, then
   * changes as in {@link watch}.
   *
   * @param resourceVersion what there is at this version or a newer one; `''`: the newest
   */
  watchList(resourceVersion: string, signal: AbortSignal): Promise<Watch<T>> {
    const { client, resource } = this.#options;
    return client.watch(resource, {
      ...this.#selection,
      ...(resourceVersion === '' ? {} : { resourceVersion }),
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: true,
      allowWatchBookmarks: true,
      timeoutSeconds: this.#timeoutSeconds(),
      signal,
    });
  }

  #timeoutSeconds(): number {
    return Math.floor(WATCH_SECONDS_MIN * (1 + this.#options.random.float()));
  }
}
