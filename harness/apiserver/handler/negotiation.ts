import { errors } from '../../api/status.ts';

/** The formats of answers, the preferred one first. */
export const outputMediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const;

type OutputMediaType = (typeof outputMediaTypes)[number];

/** The formats of watches. */
const streamMediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf'] as const;

type StreamMediaType = (typeof streamMediaTypes)[number];

/** The negotiated format of an answer. */
export interface Negotiated {
  readonly mediaType: OutputMediaType;
  /** The kind to convert the answer to: a `Table`, or an aggregated discovery document. */
  readonly convert?: GroupVersionKind;
}

/** The negotiated format of a watch. */
interface NegotiatedStream extends Negotiated {
  readonly mediaType: StreamMediaType;
}

/** The kind to convert the answer to, from `Accept`: `as=Table;g=meta.k8s.io;v=v1`. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Reports whether an endpoint offers this conversion in this format.
 *
 * Upstream: EndpointRestrictions.AllowsMediaTypeTransform
 */
export type Allows = (convert: GroupVersionKind | undefined, mediaType: string) => boolean;

/** Offers no conversion. */
export const asIs: Allows = (convert) => convert === undefined;

/**
 * Returns the first format, in the client's order of preference, that the endpoint can produce. Skips a clause whose
 * conversion is not offered, so that `as=Table;…, application/json` falls back to the plain object.
 *
 * Client and server negotiate the format of an answer through `Accept`; `Content-Type` names the format of a body.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/negotiation/negotiate.go NegotiateMediaTypeOptions
 *
 * @param offered - the formats that the endpoint can produce, the preferred one first
 * @returns undefined if the endpoint can produce none of the accepted formats
 */
export function negotiate(
  accept: string | null,
  allows: Allows = asIs,
  offered: readonly OutputMediaType[] = outputMediaTypes,
): Negotiated | undefined {
  if (!accept) return { mediaType: outputMediaTypes[0] };
  for (const clause of parseAccept(accept)) {
    const convert = conversion(clause.parameters);
    const mediaType = offered.find((each) => covers(clause.mediaType, each) && allows(convert, each));
    const stream = clause.parameters.get('stream') ?? 'watch';
    if (mediaType && stream === 'watch') {
      return { mediaType, ...(convert ? { convert } : {}) };
    }
  }
  return undefined;
}

/** Like {@link negotiate}, but throws if there is no common format. @throws StatusError NotAcceptable */
export function negotiateOrThrow(accept: string | null, allows?: Allows): Negotiated {
  const negotiated = negotiate(accept, allows);
  if (!negotiated) throw errors.notAcceptable(outputMediaTypes);
  return negotiated;
}

/**
 * Returns the format of a watch.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaTypeStream
 *
 * @throws StatusError NotAcceptable, also when the client prefers a format that cannot be streamed
 */
export function negotiateStream(accept: string | null, allows?: Allows): NegotiatedStream {
  const negotiated = negotiate(accept, allows);
  const mediaType = streamMediaTypes.find((each) => each === negotiated?.mediaType);
  if (!mediaType) throw errors.notAcceptable(streamMediaTypes.map((each) => `${each};stream=watch`));
  return { ...negotiated, mediaType };
}

/**
 * Returns the media type of a header such as `application/json; charset=utf-8`, in lower case and without parameters.
 */
export function mediaTypeOf(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** One media type of an `Accept` header. */
export interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses `Accept`: by quality, then the more specific types first, then in the order of the header. */
export function parseAccept(accept: string): readonly Clause[] {
  const clauses = accept.split(',').map((text) => {
    const [mediaType = '', ...rest] = text.split(';').map((part) => part.trim());
    const parameters = new Map(
      rest.map((parameter) => {
        const [name = '', value = ''] = parameter.split('=', 2);
        return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')];
      }),
    );
    const quality = Number(parameters.get('q') ?? 1);
    return { mediaType: mediaType.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
  });
  return clauses.sort((a, b) => b.quality - a.quality || wildcards(a) - wildcards(b));
}

function wildcards({ mediaType }: Clause): number {
  return mediaType.split('*').length - 1;
}

function covers(range: string, mediaType: string): boolean {
  return range === mediaType || range === '*/*' || range === 'application/*';
}

function conversion(parameters: ReadonlyMap<string, string>): GroupVersionKind | undefined {
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) return undefined;
  return {
    group: parameters.get('g') ?? '',
    version: parameters.get('v') ?? '',
    kind: parameters.get('as') ?? '',
  };
}
