import { errors } from '../../api/status.ts';

/** The formats in which we answer, the preferred one first. */
export const outputMediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const;

type OutputMediaType = (typeof outputMediaTypes)[number];

/** The formats in which we stream. */
const streamMediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf'] as const;

type StreamMediaType = (typeof streamMediaTypes)[number];

/** What was agreed on. */
export interface Negotiated {
  readonly mediaType: OutputMediaType;
  /** The answer is to be converted to this kind: a `Table`, an aggregated discovery document. */
  readonly convert?: GroupVersionKind;
}

/** What was agreed on for a watch. */
interface NegotiatedStream extends Negotiated {
  readonly mediaType: StreamMediaType;
}

/** The kind into which `Accept` asks to convert the answer: `as=Table;g=meta.k8s.io;v=v1`. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Which conversions an endpoint offers, in which format. Upstream: EndpointRestrictions.AllowsMediaTypeTransform */
export type Allows = (convert: GroupVersionKind | undefined, mediaType: string) => boolean;

/** Only the answer as it is. */
export const asIs: Allows = (convert) => convert === undefined;

/**
 * The first format in the client's order of preference that the endpoint can produce. A clause that asks for a
 * conversion that is not offered is passed over, so that `as=Table;…, application/json` falls back to the plain
 * object.
 *
 * Which format client and server speak: what `Accept` asks for, and what `Content-Type` says of a body.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/negotiation/negotiate.go NegotiateMediaTypeOptions
 *
 * @param offered - the formats that the endpoint can produce, the preferred one first
 * @returns undefined when nothing that is accepted can be produced
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

/** {@link negotiate}, but for answers that must be had. @throws StatusError NotAcceptable */
export function negotiateOrThrow(accept: string | null, allows?: Allows): Negotiated {
  const negotiated = negotiate(accept, allows);
  if (!negotiated) throw errors.notAcceptable(outputMediaTypes);
  return negotiated;
}

/**
 * The format of a watch.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/negotiation/negotiate.go NegotiateOutputMediaTypeStream
 *
 * @throws StatusError NotAcceptable, also when the client would rather have a format that cannot be streamed
 */
export function negotiateStream(accept: string | null, allows?: Allows): NegotiatedStream {
  const negotiated = negotiate(accept, allows);
  const mediaType = streamMediaTypes.find((each) => each === negotiated?.mediaType);
  if (!mediaType) throw errors.notAcceptable(streamMediaTypes.map((each) => `${each};stream=watch`));
  return { ...negotiated, mediaType };
}

/** The media type of a header such as `application/json; charset=utf-8`, in lower case and alone. */
export function mediaTypeOf(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** One of the media types that `Accept` lists. */
export interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** By quality, among equals the more specific ones first, and then in the order given. */
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
