import { freezeObject, isShared } from '../../api/freeze.ts';
import type { KubeObject, List } from '../../api/objects.ts';
import { groupResource, groupVersion, listKindOf, type Resource } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { Patch, Watch, WriteOptions } from '../../contracts/client.ts';
import type { ApiAnswer, ApiRequest } from '../../contracts/request.ts';
import { understood } from '../apply/field-manager.ts';
import { newScope } from '../apply/field-scope.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { decode } from '../decode.ts';
import type { Conversion, Kind } from '../kind.ts';
import type { Json } from '../patch/json-value.ts';
import type { Registry } from './registry.ts';
import { convertByWebhook } from './webhook-conversion.ts';

/**
 * Carries out a request for a version that differs from the stored one. Converts the request to the stored version, and
 * the answer or the error back. The rules of the requested version apply.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/versioning/versioning.go codec
 *
 * Also reads the stored version of custom resources in this way, because the schema may have changed since the write.
 *
 * Differs: applies in the stored version, and reports the field owners in that version.
 */
export async function convert(
  registry: Registry,
  kind: Kind,
  conversion: Conversion,
  request: ApiRequest,
  carryOut: (registry: Registry, request: ApiRequest) => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const webhook = customVersionOf(conversion.served)?.webhook;
  if (webhook) return convertByWebhook({ registry, kind, conversion, webhook }, request, carryOut);
  const converter = new Converter(conversion);
  const { stored } = conversion;
  const name = groupResource(stored);
  const storedKind = { ...kind, resource: stored } as Kind<never>;
  const kindOf: Registry['kindOf'] = (of) =>
    groupResource(of) === name ? (storedKind as Kind as never) : registry.kindOf(of);
  try {
    const answer = await carryOut({ ...registry, kindOf }, converter.request(request));
    return converter.answer(request, answer);
  } catch (error) {
    throw converter.failure(error);
  }
}

/** Converts an object to the stored version, and decodes it like every stored object. */
export function asStored<T extends object>(conversion: Conversion, object: object): T {
  if (conversion.served === conversion.stored) return object as T;
  const options = { fieldValidation: 'Ignore', isTrusted: isShared } as const;
  return decode<T>(conversion.stored as Resource<never>, inStoredWords(conversion, object), options).object;
}

function inStoredWords({ stored, toStored }: Conversion, object: object): object {
  return { ...toStored(object), ...typeOf(stored) };
}

/**
 * Converts a stored object to the served version. Decodes it, because the two versions print different empty fields.
 */
export function asServed(conversion: Conversion, object: KubeObject): KubeObject {
  if (conversion.served === conversion.stored && conversion.fromStored(object) === object) return object;
  const ofVersion = told.get(conversion) ?? new WeakMap<object, KubeObject>();
  told.set(conversion, ofVersion);
  const known = ofVersion.get(object);
  if (known) return known;
  const { served, fromStored } = conversion;
  const made = decode<KubeObject>(
    served,
    { ...fromStored(object), ...typeOf(served) },
    { fieldValidation: 'Ignore' },
  );
  const result = freezeObject(made.object);
  ofVersion.set(object, result);
  return result;
}

/** Converted objects by version and stored object, so that two reads return the same object. */
const told = new WeakMap<Conversion, WeakMap<object, KubeObject>>();

class Converter {
  readonly #conversion: Conversion;
  readonly #resource: Resource;
  readonly #stored: Resource;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
    this.#resource = conversion.served;
    this.#stored = conversion.stored;
  }

  request(request: ApiRequest): ApiRequest {
    const resource = this.#stored;
    if (resource === this.#resource) return request;
    switch (request.verb) {
      case 'create':
      case 'update':
      case 'updateStatus':
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
      const apiVersion = groupVersion(this.#resource);
      return { ...list, kind: listKindOf(this.#resource), apiVersion, items };
    }
    const { kind, details } = answer as { kind?: string; details?: object };
    if (kind === this.#stored.kind) return this.#fromStored(answer as KubeObject);
    // A Scale is the same in all versions.
    if (kind !== 'Status') return answer;
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
    return asStored(this.#conversion, object);
  }

  #fromStored(object: KubeObject): KubeObject {
    return asServed(this.#conversion, object);
  }

  /** Other patches apply to the object in the served version, so they need no conversion. */
  #patch(patch: Patch): Patch {
    return patch.type === 'apply' ? { ...patch, body: this.#config(patch.body) } : patch;
  }

  /** An apply of another kind or version stays unconverted, so that the error names it. */
  #config(body: unknown): unknown {
    const { apiVersion, kind } = (body ?? {}) as { apiVersion?: unknown; kind?: unknown };
    const said = typeOf(this.#resource);
    if (apiVersion !== said.apiVersion || kind !== said.kind) return body;
    return inStoredWords(this.#conversion, understood(newScope(this.#resource, ''), body as Json));
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

function typeOf(resource: Resource): { apiVersion: string; kind: string } {
  return { apiVersion: groupVersion(resource), kind: resource.kind };
}
