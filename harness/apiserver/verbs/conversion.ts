import { freezeObject, isShared } from '../../api/freeze.ts';
import type { KubeObject, List } from '../../api/objects.ts';
import { groupResource, groupVersion, type Resource } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { Patch, Watch, WriteOptions } from '../../contracts/client.ts';
import type { ApiAnswer, ApiRequest } from '../../contracts/request.ts';
import { decode } from '../decode.ts';
import type { Conversion, Kind } from '../kind.ts';
import type { Registry } from './registry.ts';

/**
 * Carries out a request for objects of one version of a kind that is stored in another: the request is put into the
 * words of that version, and the answer, or the failure, into those of the request. The rules are those of the version
 * that was asked for.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/versioning/versioning.go codec
 *
 * Differs: what is wrong with a patch is told in the words of the stored version, and so is who owns which fields.
 */
export async function convert(
  registry: Registry,
  kind: Kind,
  conversion: Conversion,
  request: ApiRequest,
  carryOut: (registry: Registry, request: ApiRequest) => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const converter = new Converter(kind.resource, conversion);
  const { stored } = conversion;
  const name = groupResource(stored);
  const asStored = { ...kind, resource: stored } as Kind<never>;
  const kindOf: Registry['kindOf'] = (of) =>
    groupResource(of) === name ? (asStored as Kind as never) : registry.kindOf(of);
  try {
    const answer = await carryOut({ ...registry, kindOf }, converter.request(request));
    return converter.answer(request, answer);
  } catch (error) {
    throw converter.failure(error);
  }
}

/** By stored object, so that what is asked for twice is one object. */
const served = new WeakMap<object, KubeObject>();

class Converter {
  readonly #resource: Resource;
  readonly #stored: Resource;
  readonly #storedNames: Readonly<Record<string, string>>;
  readonly #names: Readonly<Record<string, string>>;

  constructor(resource: Resource, { stored, storedNames }: Conversion) {
    this.#resource = resource;
    this.#stored = stored;
    this.#storedNames = storedNames;
    this.#names = Object.fromEntries(Object.entries(storedNames).map(([name, there]) => [there, name]));
  }

  request(request: ApiRequest): ApiRequest {
    const resource = this.#stored;
    switch (request.verb) {
      case 'create':
      case 'update':
        return {
          ...request,
          resource,
          object: this.#toStored(request.object, request.options),
          options: { ...request.options, fieldValidation: 'Ignore' },
        } as ApiRequest;
      case 'patch':
        return { ...request, resource, patch: this.#patch(request.patch) };
      default:
        return { ...request, resource } as ApiRequest;
    }
  }

  answer({ verb }: ApiRequest, answer: ApiAnswer): ApiAnswer {
    if (verb === 'watch') return this.#watch(answer as Watch<KubeObject>);
    if (verb === 'list' || verb === 'deleteCollection') {
      const list = answer as List<KubeObject>;
      const items = list.items.map((item) => this.#fromStored(item));
      return { ...list, ...typeOf(this.#resource, 'List'), items };
    }
    const { kind, details } = answer as { kind?: string; details?: object };
    if (kind === this.#stored.kind) return this.#fromStored(answer as KubeObject);
    return { ...(answer as object), details: { ...details, group: this.#resource.group } } as ApiAnswer;
  }

  failure(error: unknown): unknown {
    if (!(error instanceof StatusError)) return error;
    const { status } = error;
    const { kind, group } = status.details ?? {};
    const isOurs = kind === this.#stored.plural || kind === this.#stored.kind;
    if (!isOurs || (group ?? '') !== this.#stored.group) return error;
    const message = status.message.replace(`${kind} "`, `${kind}.${this.#resource.group} "`);
    return new StatusError({
      ...status,
      message,
      details: { ...status.details, group: this.#resource.group },
    });
  }

  #toStored(sent: object, { fieldValidation = 'Strict' }: WriteOptions): object {
    const { object } = decode<object>(this.#resource, sent, { fieldValidation, isTrusted: isShared });
    return { ...renamed(object, this.#storedNames), ...typeOf(this.#stored) };
  }

  /** Decoded, because the two versions do not print the same of what is not there. */
  #fromStored(object: KubeObject): KubeObject {
    const known = served.get(object);
    if (known) return known;
    const told = { ...renamed(object, this.#names), ...typeOf(this.#resource) };
    const made = decode<KubeObject>(this.#resource, told, { fieldValidation: 'Ignore' });
    const result = freezeObject(made.object);
    served.set(object, result);
    return result;
  }

  #patch(patch: Patch): Patch {
    if (patch.type === 'apply') return { ...patch, body: this.#config(patch.body) };
    if (patch.type !== 'json') return { ...patch, body: this.#patchBody(patch.body) };
    const body = patch.body.map((operation) => {
      // What is wrong with it, the patch will say.
      if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) return operation;
      const { path, from } = operation as { path?: unknown; from?: unknown };
      return {
        ...operation,
        ...(typeof path === 'string' ? { path: this.#pointer(path) } : {}),
        ...(typeof from === 'string' ? { from: this.#pointer(from) } : {}),
      };
    });
    return { ...patch, body };
  }

  /** A field that only the stored version has is unknown to this one. */
  #patchBody(body: unknown): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const known = Object.entries(body).filter(([name]) => !Object.hasOwn(this.#names, name));
    return renamed(Object.fromEntries(known), this.#storedNames);
  }

  /** What is of another kind or version is refused as what it is. */
  #config(body: unknown): unknown {
    const { apiVersion, kind } = (body ?? {}) as { apiVersion?: unknown; kind?: unknown };
    const said = typeOf(this.#resource);
    if (apiVersion !== said.apiVersion || kind !== said.kind) return body;
    return { ...(this.#patchBody(body) as object), ...typeOf(this.#stored) };
  }

  #pointer(pointer: string): string {
    const [, first, ...rest] = pointer.split('/');
    if (first === undefined) return pointer;
    return ['', this.#storedNames[first] ?? first, ...rest].join('/');
  }

  #watch(watch: Watch<KubeObject>): Watch<KubeObject> {
    const convertEvent = (event: { object: unknown }) =>
      (event.object as KubeObject).kind === this.#stored.kind
        ? { ...event, object: this.#fromStored(event.object as KubeObject) }
        : event;
    return {
      get buffered() {
        return watch.buffered as number;
      },
      stop: () => watch.stop(),
      async *[Symbol.asyncIterator]() {
        for await (const event of watch) yield convertEvent(event) as typeof event;
      },
    };
  }
}

function typeOf(resource: Resource, suffix = ''): { apiVersion: string; kind: string } {
  return { apiVersion: groupVersion(resource), kind: `${resource.kind}${suffix}` };
}

function renamed(object: object, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]),
  );
}
