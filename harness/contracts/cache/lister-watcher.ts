import type { KubeObject, List } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { isExpired } from '../../api/status.ts';
import type { Random } from '../../sim/index.ts';
import type { Client, Selection, Watch } from '../client.ts';

/** Upstream: kubernetes/client-go@v0.36.3 tools/pager/pager.go defaultPageSize */
const PAGE_SIZE = 500;
/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go defaultMinWatchTimeout */
const WATCH_SECONDS_MIN = 300;

/** The selection that a {@link ListerWatcher} lists and watches, and its client. */
interface ListerWatcherOptions<T extends KubeObject> extends Selection {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly resource: Resource<T>;
  /** Chooses the duration of each watch. */
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
   * Returns the whole list. If the server sends it in pages, all pages have one version. If that version expires
   * between two pages, the list is requested again without pages.
   *
   * @param resourceVersion `'0'`: any version that the server has in its cache; `''`: the newest; otherwise this
   * version or a newer one
   * @throws the error of the client: `isExpired` and `isTooLargeResourceVersion` recognize a version that the server no
   * longer has, or has not reached
   */
  async list(resourceVersion: string, signal: AbortSignal): Promise<List<T>> {
    const { client, resource } = this.#options;
    const selection = { ...this.#selection, signal };
    // The server answers a list at a version from its cache, as a whole. With a limit it would read etcd instead.
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

  /** Opens a stream of changes after this version, with bookmarks. The server ends the stream after 5 to 10 minutes. */
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
   * Opens a streaming list: one `ADDED` event for each existing object, then a bookmark (see `isInitialEventsEnd`),
   * then changes as in {@link watch}.
   *
   * @param resourceVersion the list is at this version or a newer one; `''`: at the newest
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
