import type { Resource } from '../api/define-resource.ts';
import { groupVersion, pods } from '../api/resource.ts';
import { type Answer, Call, type CallOptions } from './call.ts';
import { compare, Difference } from './expectation.ts';
import type { Target } from './target.ts';

/** A JSON object from a client. */
export interface Written {
  readonly metadata?: object;
  readonly [field: string]: unknown;
}

type Query = NonNullable<CallOptions['query']>;

/** The media types of the four kinds of patches. */
const PATCHES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** The requests of one behaviour. Each goes to its namespace unless the resource has none. */
export class Session {
  readonly namespace: string;
  readonly #target: Target;
  readonly #leftovers: (() => Promise<unknown>)[] = [];

  constructor(target: Target, namespace: string) {
    this.#target = target;
    this.namespace = namespace;
  }

  create(resource: Resource, object: Written, query: Query = {}): Call {
    return this.#call('POST', this.#path(resource), { query, body: typed(resource, object) });
  }

  get(resource: Resource, name: string, query: Query = {}): Call {
    return this.#call('GET', this.#path(resource, name), { query });
  }

  list(resource: Resource, query: Query = {}): Call {
    return this.#call('GET', this.#path(resource), { query });
  }

  watch(resource: Resource, query: Query = {}): Call {
    return this.list(resource, { watch: true, ...query });
  }

  /** @param at the name, or the name and a subresource: `web/status` */
  update(resource: Resource, at: string, object: Written, query: Query = {}): Call {
    return this.#call('PUT', this.#path(resource, at), { query, body: typed(resource, object) });
  }

  /** @param at the name, or the name and a subresource: `web/status` */
  patch(resource: Resource, at: string, type: keyof typeof PATCHES, body: unknown, query: Query = {}): Call {
    const contentType = PATCHES[type];
    const sent = type === 'apply' ? typed(resource, body as Written) : body;
    return this.#call('PATCH', this.#path(resource, at), { query, body: sent, contentType });
  }

  /** Applies a configuration with the name in its metadata. */
  apply(resource: Resource, object: Written, query: Query): Call {
    const { name = '' } = (object.metadata ?? {}) as { readonly name?: string };
    return this.patch(resource, name, 'apply', object, query);
  }

  delete(resource: Resource, name: string, options: object = {}, query: Query = {}): Call {
    return this.#call('DELETE', this.#path(resource, name), { body: deleteOptions(options), query });
  }

  deleteAll(resource: Resource, query: Query = {}, options: object = {}): Call {
    return this.#call('DELETE', this.#path(resource), { query, body: deleteOptions(options) });
  }

  /** A request with any path. `$namespace` in the path stands for the namespace of the behaviour. */
  raw(method: string, path: string, options: CallOptions = {}): Call {
    return this.#call(method, path.replaceAll('$namespace', this.namespace), options);
  }

  /** The log of a pod. */
  logs(pod: string, query: Query = {}): Call {
    return this.get(pods, `${pod}/log`, query);
  }

  /** The Events about an object of this name. */
  events(name: string): Call {
    const fieldSelector = `involvedObject.name=${name}`;
    return this.raw('GET', '/api/v1/namespaces/$namespace/events', { query: { fieldSelector } });
  }

  /** Creates an object and resolves with it. @throws Difference if the server rejects it */
  async made(resource: Resource, object: Written): Promise<Answer> {
    const answer = await this.create(resource, object).answers(201);
    if (!resource.namespaced)
      this.#leftovers.push(() => this.delete(resource, answer.at('metadata.name')).sent());
    return answer;
  }

  /** Runs a command in a container of a pod. @throws Difference if its result does not match */
  async exec(pod: string, command: readonly string[], expected: object, container = 'main'): Promise<void> {
    const { namespace } = this;
    const executed = await this.#target.exec?.({ namespace, pod, container }, command);
    const mismatches = compare(expected, executed);
    if (mismatches.length > 0) throw new Difference(`exec ${pod} -- ${command.join(' ')}`, mismatches);
  }

  /** Compares values that come from earlier answers. @throws Difference if they differ */
  expect(subject: string, observed: unknown, expected: unknown): void {
    const mismatches = compare(expected, observed);
    if (mismatches.length > 0) throw new Difference(subject, mismatches);
  }

  /** A name for an object without a namespace: no other behaviour uses it. */
  unique(name: string): string {
    return `${this.namespace}-${name}`;
  }

  /** Deletes the objects without a namespace that this behaviour made. */
  async cleanUp(): Promise<void> {
    for (const remove of this.#leftovers.toReversed()) await remove();
  }

  #path(resource: Resource, at?: string): string {
    const { group, version, namespaced, plural } = resource;
    const parts = [
      group ? `/apis/${group}/${version}` : `/api/${version}`,
      ...(namespaced ? [`namespaces/${this.namespace}`] : []),
      plural,
      ...(at === undefined ? [] : [at]),
    ];
    return parts.join('/');
  }

  #call(method: string, path: string, options: CallOptions): Call {
    return new Call(this.#target, method, path, options);
  }
}

function typed(resource: Resource, object: Written): Written {
  return { apiVersion: groupVersion(resource), kind: resource.kind, ...object };
}

function deleteOptions(options: object): object {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
}
