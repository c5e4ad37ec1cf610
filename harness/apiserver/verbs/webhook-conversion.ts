import type { WebhookConversion } from '#api/apiextensions/v1';
import { freezeObject } from '../../api/freeze.ts';
import { type KubeObject, keyOf, keyToString, type List, type ObjectKey } from '../../api/objects.ts';
import { groupVersion, listKindOf, type Resource } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { Watch } from '../../contracts/client.ts';
import { type ApiAnswer, type ApiRequest, targetOf } from '../../contracts/request.ts';
import { convertedByWebhook } from '../custom/conversion-review.ts';
import { decode } from '../decode.ts';
import type { Conversion, Kind } from '../kind.ts';
import { REQUEST_TIMEOUT_MS } from '../request-timeout.ts';
import type { ObjectWrites } from '../storage/object-writes.ts';
import { type Author, type StoredObjects, sameResource } from '../storage/storage.ts';
import type { Registry } from './registry.ts';

/** A version of a custom resource whose objects a webhook converts. */
interface ConvertedVersion {
  readonly registry: Registry;
  readonly kind: Kind;
  readonly conversion: Conversion;
  readonly webhook: WebhookConversion;
}

type CarryOut = (registry: Registry, request: ApiRequest) => Promise<ApiAnswer>;

/**
 * Carries out a request for a custom resource whose versions a webhook converts. A read converts its answer. A write
 * works on the object in the requested version, and converts the result before it is stored. If the stored object
 * changes meanwhile, the write starts again.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go crdConversionRESTOptionsGetter
 *
 * Differs: each stored object is converted once for each version; upstream converts it for each read that bypasses the
 * watch cache. Field selectors apply to the stored object. A delete does not convert the object that it marks.
 */
export function convertByWebhook(
  version: ConvertedVersion,
  request: ApiRequest,
  carryOut: CarryOut,
): Promise<ApiAnswer> {
  const converter = new WebhookConverter(version);
  return READS.has(request.verb) ? converter.read(request, carryOut) : converter.write(request, carryOut);
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'delete', 'deleteCollection']);

/** A write that waits for its conversion. */
interface PendingWrite {
  readonly object: KubeObject;
  /** The resourceVersion of the replaced object. Undefined for a new object. */
  readonly expected?: string;
  readonly author: Author | undefined;
}

/** Converted objects by version and stored object, so that two reads return the same object. */
const known = new WeakMap<Conversion, WeakMap<object, Promise<KubeObject>>>();

class WebhookConverter {
  readonly #registry: Registry;
  readonly #kind: Kind;
  readonly #conversion: Conversion;
  readonly #webhook: WebhookConversion;

  constructor({ registry, kind, conversion, webhook }: ConvertedVersion) {
    this.#registry = registry;
    this.#kind = kind;
    this.#conversion = conversion;
    this.#webhook = webhook;
  }

  async read(request: ApiRequest, carryOut: CarryOut): Promise<ApiAnswer> {
    const { stored, served } = this.#conversion;
    const registry = this.#knowing({ ...this.#kind, resource: stored });
    const answer = await carryOut(registry, { ...request, resource: stored } as ApiRequest);
    if (request.verb === 'watch') return this.#watch(answer as Watch<KubeObject>);
    if (request.verb === 'list' || request.verb === 'deleteCollection') {
      const list = answer as List<KubeObject>;
      const items: KubeObject[] = [];
      for (const item of list.items) items.push(await this.#served(item));
      return { ...list, kind: listKindOf(served), apiVersion: groupVersion(served), items };
    }
    const { kind } = answer as { kind?: string };
    return kind === served.kind ? this.#served(answer as KubeObject) : answer;
  }

  async write(request: ApiRequest, carryOut: CarryOut): Promise<ApiAnswer> {
    const { storage, writes } = this.#registry;
    const { stored, served } = this.#conversion;
    const { conversion: _, ...kind } = this.#kind;
    const { namespace, name } = targetOf(request);
    const key: ObjectKey | undefined = name ? { ...(namespace && { namespace }), name } : undefined;
    for (;;) {
      const old = key && storage.get(stored, key);
      const view = new StorageView(this.#registry, served, old && (await this.#served(old)));
      const registry = { ...this.#knowing(kind), storage: view.storage, writes: view.writes };
      const answer = await carryOut(registry, { ...request, resource: served } as ApiRequest);
      const { pending } = view;
      if (!pending) return answer;
      const object = await this.#converted(pending.object, stored);
      const now = storage.get(stored, keyOf(object));
      if (now?.metadata.resourceVersion !== pending.expected) continue;
      const written =
        pending.expected === undefined
          ? writes.create(stored, object, pending.author)
          : writes.update(stored, object, pending.expected, pending.author);
      const result = await this.#served(written instanceof Promise ? await written : written);
      const { kind: answered, metadata } = answer as KubeObject;
      if (answered === served.kind) return result;
      const { resourceVersion } = result.metadata;
      return { ...(answer as object), metadata: { ...metadata, resourceVersion } } as ApiAnswer;
    }
  }

  /** Returns the registry with this kind in place of the resource's. */
  #knowing(kind: Kind): Registry {
    const { served } = this.#conversion;
    const { kindOf } = this.#registry;
    return {
      ...this.#registry,
      kindOf: (of) => (sameResource(of, served) ? (kind as Kind as never) : kindOf(of)),
    };
  }

  /** Returns a stored object in the requested version. */
  #served(object: KubeObject): Promise<KubeObject> {
    const ofVersion = known.get(this.#conversion) ?? new WeakMap<object, Promise<KubeObject>>();
    known.set(this.#conversion, ofVersion);
    const converting = ofVersion.get(object) ?? this.#read(object);
    ofVersion.set(object, converting);
    converting.catch(() => ofVersion.delete(object));
    return converting;
  }

  async #read(object: KubeObject): Promise<KubeObject> {
    const { served, fromStored } = this.#conversion;
    const converted = await this.#converted(object, served);
    const read = fromStored(converted);
    return read === object ? object : freezeObject(decoded(served, read));
  }

  /** Returns the object in the version of the resource. @throws StatusError InternalError when the webhook fails */
  async #converted(object: KubeObject, resource: Resource): Promise<KubeObject> {
    const apiVersion = groupVersion(resource);
    if (object.apiVersion === apiVersion) return object;
    const { clock, random, conversions: transport, deadlineMs } = this.#registry;
    const end = new AbortController();
    const late = (): void => end.abort(new Error('context deadline exceeded'));
    const cancel = clock.after((deadlineMs ?? clock.now() + REQUEST_TIMEOUT_MS) - clock.now(), late);
    try {
      const call = { webhook: this.#webhook, transport, uid: random.uuid(), signal: end.signal };
      return decoded(resource, await convertedByWebhook(call, object, apiVersion));
    } finally {
      cancel();
    }
  }

  #watch(watch: Watch<KubeObject>): Watch<KubeObject> {
    const { served } = this.#conversion;
    const convert = (object: KubeObject): Promise<KubeObject> => this.#served(object);
    return {
      get buffered() {
        return watch.buffered as number;
      },
      stop: () => watch.stop(),
      async *[Symbol.asyncIterator]() {
        for await (const event of watch) {
          const object = event.object as KubeObject;
          if (object.kind !== served.kind) yield event;
          else if (event.type === 'BOOKMARK') {
            yield { ...event, object: { ...object, apiVersion: groupVersion(served) } } as typeof event;
          } else {
            try {
              yield { ...event, object: await convert(object) } as typeof event;
            } catch (error) {
              if (!(error instanceof StatusError)) throw error;
              yield { type: 'ERROR', object: error.status } as typeof event;
              watch.stop();
              return;
            }
          }
        }
      },
    };
  }
}

function decoded(resource: Resource, object: object): KubeObject {
  return decode<KubeObject>(resource as Resource<never>, object, { fieldValidation: 'Ignore' }).object;
}

/** A storage that contains one object in the requested version, and keeps a write of the resource until it is converted. */
class StorageView {
  readonly storage: StoredObjects;
  readonly writes: ObjectWrites;
  /** Undefined if the request writes nothing. */
  pending: PendingWrite | undefined;

  constructor({ storage, writes }: Registry, served: Resource, shown: KubeObject | undefined) {
    const isOurs = (resource: Resource): boolean => sameResource(resource, served);
    const own: Partial<StoredObjects> = {
      get: (resource, key, ...revision) =>
        isOurs(resource) && shown && keyToString(key) === keyToString(keyOf(shown))
          ? shown
          : storage.get(resource, key, ...revision),
    };
    this.writes = {
      create: (resource, object, author) => {
        if (!isOurs(resource)) return writes.create(resource, object, author);
        this.pending = { object, author };
        return freezeObject(object);
      },
      update: (resource, object, expected, author) => {
        if (!isOurs(resource)) return writes.update(resource, object, expected, author);
        this.pending = { object, expected, author };
        return freezeObject(object);
      },
      delete: (resource, key, expected, author) => writes.delete(resource, key, expected, author),
    };
    this.storage = new Proxy(storage, {
      get(target, name) {
        const value = (own as Record<PropertyKey, unknown>)[name] ?? Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
}
