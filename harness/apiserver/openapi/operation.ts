import { outputMediaTypes } from '../handler/negotiation.ts';
import { patchMediaTypes } from '../handler/patch-body.ts';
import { optionParameters, type Parameter } from './parameters.ts';
import { referTo, type Schema, type SchemaKind } from './schema.ts';
import { schemaNameOf } from './schema-name.ts';

/**
 * An operation on a path.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/spec3/operation.go Operation
 */
export interface Operation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required?: true };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly 'x-kubernetes-action'?: Action;
  readonly 'x-kubernetes-group-version-kind'?: SchemaKind;
}

/** The schema of a body, by media type. */
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** The effect of an operation on its resource, for `x-kubernetes-action`. */
export type Action = keyof typeof actions;

/** A kind of operation. */
interface Kind {
  readonly method: Method;
  /** The first word of the operation's ID. */
  readonly verb: string;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly number[];
  readonly body?: 'object' | 'options' | 'patch';
  /** The content of the answer. */
  readonly answer: 'object' | 'list' | 'status' | 'event' | 'deleted';
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

const listParameters = optionParameters('ListOptions');
const deleteParameters = optionParameters('DeleteOptions');

/**
 * All operations by their `x-kubernetes-action`.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/installer.go APIInstaller.registerResourceHandlers
 */
const actions = {
  list: { method: 'get', verb: 'list', parameters: listParameters, responses: [200], answer: 'list' },
  watchlist: { method: 'get', verb: 'watch', parameters: listParameters, responses: [200], answer: 'event' },
  watch: { method: 'get', verb: 'watch', parameters: listParameters, responses: [200], answer: 'event' },
  get: { method: 'get', verb: 'read', parameters: [], responses: [200], answer: 'object' },
  post: {
    ...{ method: 'post', verb: 'create', body: 'object', responses: [200, 201, 202], answer: 'object' },
    parameters: optionParameters('CreateOptions'),
  },
  put: {
    ...{ method: 'put', verb: 'replace', body: 'object', responses: [200, 201], answer: 'object' },
    parameters: optionParameters('UpdateOptions'),
  },
  patch: {
    ...{ method: 'patch', verb: 'patch', body: 'patch', responses: [200, 201], answer: 'object' },
    parameters: optionParameters('PatchOptions'),
  },
  delete: {
    ...{ method: 'delete', verb: 'delete', body: 'options', answer: 'deleted', responses: [200, 202] },
    parameters: deleteParameters,
  },
  deletecollection: {
    ...{ method: 'delete', verb: 'delete', body: 'options', answer: 'status', responses: [200] },
    parameters: [...optionParameters('ListOptions', ['watch', 'allowWatchBookmarks']), ...deleteParameters],
  },
} satisfies Record<string, Kind>;

/** The parameters of {@link operation}. */
interface OperationOptions {
  readonly action: Action;
  /** `apps_v1` */
  readonly tag: string;
  /** The operation's ID after the verb: `AppsV1NamespacedDeployment`. */
  readonly name: string;
  readonly kind: SchemaKind;
  /** The name of the schema of the transmitted objects. */
  readonly object: string;
  /** The name of the schema of their list; `''` if the operation does not return a list. */
  readonly list: string;
  /** Whether a delete returns the object; otherwise it returns a Status. */
  readonly returnsDeletedObject: boolean;
  /** Whether the resource is custom. Custom resources have no protobuf and no strategic merge patch. */
  readonly isCustom: boolean;
}

/** Returns an operation and its HTTP method. */
export function operation({
  action,
  tag,
  name,
  kind,
  object,
  list,
  returnsDeletedObject,
  isCustom,
}: OperationOptions): [Method, Operation] {
  const { method, verb, parameters, responses, body, answer }: Kind = actions[action];
  const answered = {
    object,
    list,
    status: meta('Status'),
    event: meta('WatchEvent'),
    deleted: returnsDeletedObject ? object : meta('Status'),
  }[answer];
  const streams = answer === 'list' || answer === 'event';
  const mediaTypes = isCustom
    ? CUSTOM_MEDIA_TYPES
    : [...outputMediaTypes, ...(streams ? ['application/json;stream=watch'] : [])];
  return [
    method,
    {
      tags: [tag],
      operationId: verb + name,
      ...(parameters.length > 0 && { parameters: sortedByName(parameters) }),
      ...(body && { requestBody: requestBody(body, object, isCustom) }),
      responses: {
        ...Object.fromEntries(
          responses.map((code) => [
            code,
            { description: PHRASES[code] ?? '', content: contentOf(mediaTypes, answered) },
          ]),
        ),
        401: { description: 'Unauthorized' },
      },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': kind,
    },
  ];
}

/** Returns the operation that lists the resources. */
export function discoveryOperation(tag: string, name: string): Operation {
  return {
    tags: [tag],
    operationId: `get${name}APIResources`,
    responses: {
      200: { description: 'OK', content: contentOf(outputMediaTypes, meta('APIResourceList')) },
      401: { description: 'Unauthorized' },
    },
  };
}

const PHRASES: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

/** Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/controller/openapi/builder/builder.go buildRoute */
const CUSTOM_MEDIA_TYPES = ['application/json', 'application/yaml'];

function requestBody(
  body: NonNullable<Kind['body']>,
  object: string,
  isCustom: boolean,
): NonNullable<Operation['requestBody']> {
  if (body === 'object') return { content: contentOf(['*/*'], object), required: true };
  if (body === 'options') return { content: contentOf(['*/*'], meta('DeleteOptions')) };
  const accepted = Object.values(patchMediaTypes).filter(
    (mediaType) => !isCustom || mediaType !== patchMediaTypes.strategic,
  );
  return { content: contentOf(accepted, meta('Patch')), required: true };
}

/** Returns the name of a schema of meta/v1. */
const meta = (kind: string): string => schemaNameOf(`meta/v1.${kind}`);

function contentOf(mediaTypes: readonly string[], name: string): Content {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: referTo(name) }]));
}

/** Sorts parameters in upstream's order. */
export function sortedByName(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters].sort((a, b) => (a.name < b.name ? -1 : 1));
}
