import type { KubeObject, List } from '../../api/objects.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import {
  type MetaVersion,
  partialObjectMetadata,
  partialObjectMetadataList,
} from '../table/partial-object-metadata.ts';
import { asTable, isList, type TableOptions } from '../table/table.ts';
import { invalid } from '../validation/field-error.ts';
import type { Call } from './endpoint.ts';
import type { Allows, GroupVersionKind } from './negotiation.ts';
import type { Answer } from './respond.ts';
import type { Target } from './route.ts';

/**
 * Returns the conversions of an endpoint: to metadata everywhere, and to a table in text formats for endpoints that
 * return objects.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go RequestScope.AllowsMediaTypeTransform
 *
 * @param isCustom - whether it is a custom resource; protobuf cannot encode one, but it can encode the converted form
 */
export function conversionsAt(target: Target, isCustom = false): Allows {
  return (convert, mediaType) => {
    if (!convert) return !isCustom || TEXT_MEDIA_TYPES.includes(mediaType);
    if (convert.group !== 'meta.k8s.io' || !META_VERSIONS.includes(convert.version)) return false;
    if (convert.kind !== 'Table') return PARTIAL_KINDS.includes(convert.kind);
    return WITH_TABLES.includes(target) && TEXT_MEDIA_TYPES.includes(mediaType);
  };
}

const META_VERSIONS = ['v1', 'v1beta1'];
const PARTIAL_KINDS = ['PartialObjectMetadata', 'PartialObjectMetadataList'];
const WITH_TABLES: readonly Target[] = ['collection', 'object', 'status', 'scale'];
const TEXT_MEDIA_TYPES = ['application/json', 'application/yaml'];

/**
 * Converts an answer to the kind that `Accept` requests. A Status stays unchanged.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/response.go transformResponseObject. So a write has been
 * carried out when this throws.
 *
 * @throws StatusError BadRequest (unknown `includeObject`), NotAcceptable (one object for a list kind, or the reverse)
 */
export function transform(
  body: Answer['body'],
  convert: GroupVersionKind | undefined,
  call: Call,
): Answer['body'] {
  return convert ? transformer(convert, call)(body, { noHeaders: false }) : body;
}

/** Converts the object of an event. Returns undefined if it cannot be converted, which ends the watch. */
export type TransformEvent = (event: WatchEvent) => object | undefined;

/**
 * Like {@link transform}, for a watch: converts each event separately, and only the first table has the columns.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/response.go watchEmbeddedEncoder
 *
 * @returns undefined if the objects stay unchanged
 * @throws StatusError BadRequest
 */
export function eventTransform(
  convert: GroupVersionKind | undefined,
  call: Call,
): TransformEvent | undefined {
  if (!convert) return undefined;
  const convertTo = transformer(convert, call);
  let noHeaders = false;
  return ({ object }) => {
    try {
      return convertTo(object, { noHeaders });
    } catch (error) {
      if (error instanceof StatusError) return undefined;
      throw error;
    } finally {
      noHeaders = true;
    }
  };
}

type Transformer = (body: Answer['body'], options: Pick<TableOptions, 'noHeaders'>) => Answer['body'];

function transformer(convert: GroupVersionKind, { query, resource, clock }: Call): Transformer {
  const apiVersion = `${convert.group}/${convert.version}` as MetaVersion;
  const columns = customVersionOf(resource)?.columns;
  const includeObject = convert.kind === 'Table' ? includeObjectIn(query) : '';
  return (body, { noHeaders }) => {
    if (body.kind === 'Status' && body.apiVersion === 'v1') return body;
    const result = body as KubeObject | List<KubeObject>;
    if (convert.kind === 'Table') {
      const type = isList(result) ? resource : typeOf(result);
      return asTable(result, { apiVersion, includeObject, noHeaders, now: clock?.now(), columns, ...type });
    }
    if (convert.kind === 'PartialObjectMetadata') {
      if (isList(result)) throw notAcceptable(`${convert.kind}, but the requested object is a list`, result);
      return partialObjectMetadata(result, apiVersion);
    }
    if (!isList(result))
      throw notAcceptable(`${convert.kind}, but the requested object is not a list`, result);
    return partialObjectMetadataList(result, apiVersion);
  };
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1beta1/validation/validation.go ValidateTableOptions */
function includeObjectIn(query: URLSearchParams): TableOptions['includeObject'] {
  const asked = query.get('includeObject') ?? '';
  const known = INCLUDE_OBJECT.find((each) => each === asked);
  if (known !== undefined) return known;
  const { field, message } = invalid(
    'includeObject',
    asked,
    "must be 'Metadata', 'Object', 'None', or empty",
  );
  throw errors.badRequest(`Unable to convert to Table as requested: ${field}: ${message}`);
}

const INCLUDE_OBJECT: readonly TableOptions['includeObject'][] = ['Metadata', 'Object', 'None', ''];

function typeOf({ apiVersion, kind }: KubeObject): { readonly group: string; readonly kind: string } {
  const [, group = ''] = apiVersion.split('/').reverse();
  return { group, kind };
}

/** The message has the Go name of the type: `*core.PodList`. */
function notAcceptable(asked: string, result: KubeObject | List<KubeObject>): StatusError {
  const { group, kind } = typeOf(result as KubeObject);
  // Events have one Go type in both groups.
  const home = group === '' || group === 'events.k8s.io' ? 'core' : group.split('.')[0];
  return new StatusError(failure('NotAcceptable', `you requested ${asked} (*${home}.${kind})`));
}
