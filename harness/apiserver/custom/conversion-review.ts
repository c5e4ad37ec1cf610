import type { ConversionReview, WebhookConversion } from '#api/apiextensions/v1';
import { quote } from '../../api/names.ts';
import type { KubeObject } from '../../api/objects.ts';
import { type Cause, failure, StatusError } from '../../api/status.ts';
import type { ConversionTransport } from '../../contracts/admission/index.ts';
import { validateAnnotations, validateLabels } from '../validation/object-meta.ts';

/** The parts that a conversion by a webhook needs. */
interface ConversionCall {
  readonly webhook: WebhookConversion;
  readonly transport: ConversionTransport | undefined;
  /** Identifies this call. The answer must repeat it. */
  readonly uid: string;
  readonly signal: AbortSignal;
}

/**
 * Asks a webhook for an object in another version of its kind. The webhook decides everything except the type and the
 * metadata; there it can change only labels and annotations.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/conversion/webhook_converter.go
 * webhookConverter.Convert
 *
 * Differs: the error has the reason InternalError; upstream's is empty.
 *
 * @param apiVersion - the desired version
 * @throws StatusError InternalError when the call fails, or the answer is wrong
 */
export async function convertedByWebhook(
  { webhook, transport, uid, signal }: ConversionCall,
  object: KubeObject,
  apiVersion: string,
): Promise<object> {
  const type = typeText(object);
  const refuse = (why: string): StatusError =>
    new StatusError(failure('InternalError', `conversion webhook for ${type} ${why}`));
  const version = webhook.conversionReviewVersions.find((each) => each === 'v1' || each === 'v1beta1');
  if (!version) throw new StatusError(failure('InternalError', 'no supported conversion review versions'));
  const review: ConversionReview = {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion: apiVersion, objects: [object] },
  };
  const config = webhook.clientConfig ?? {};
  let converted: readonly unknown[];
  try {
    if (!transport?.convert) throw new Error(unreachable(config));
    const answer = await transport.convert(config, review, { signal });
    converted = objectsIn(answer, version, uid);
  } catch (error) {
    throw refuse(`failed: ${(error as Error).message}`);
  }
  if (converted.length !== 1) throw refuse(`returned ${converted.length} objects, expected 1`);
  const result = converted[0] as Partial<KubeObject>;
  const wrong = wrongType(result, object, apiVersion);
  if (wrong) throw refuse(`returned invalid object at index 0: ${wrong}`);
  const changed = changedIdentity(result, object);
  if (changed) throw refuse(`returned invalid object: ${changed}`);
  const metadata = restoredMetadata(result.metadata, object);
  if (typeof metadata === 'string') throw refuse(`returned invalid metadata: ${metadata}`);
  return { ...result, metadata };
}

/** The error without a transport, as if no host had a name. */
function unreachable({ url, service }: NonNullable<WebhookConversion['clientConfig']>): string {
  const { name, namespace, port = 443, path = '' } = service ?? { name: '', namespace: '' };
  const target = service ? `https://${name}.${namespace}.svc:${port}${path}` : (url ?? '');
  return `Post ${quote(target)}: dial tcp: lookup ${new URL(target).hostname}: no such host`;
}

/** `example.com/v1, Kind=Tab` */
function typeText({ apiVersion = '', kind = '' }: { apiVersion?: string; kind?: string }): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** Returns the objects of an answer. Upstream: getConvertedObjectsFromResponse @throws Error when the answer is wrong */
function objectsIn(answer: unknown, version: string, uid: string): readonly unknown[] {
  const { kind, apiVersion, response } = (answer ?? {}) as Partial<ConversionReview>;
  const expected = { apiVersion: `apiextensions.k8s.io/${version}`, kind: 'ConversionReview' };
  const isChecked = version === 'v1';
  if (isChecked && (kind !== expected.kind || apiVersion !== expected.apiVersion)) {
    const got = typeText({ apiVersion: apiVersion ?? '', kind: kind ?? '' });
    throw new Error(`expected webhook response of ${typeText(expected)}, got ${got}`);
  }
  if (!response) throw new Error('no response provided');
  if (isChecked && response.uid !== uid) {
    throw new Error(`expected response.uid=${quote(uid)}, got ${quote(response.uid ?? '')}`);
  }
  const { status = '', message } = response.result ?? {};
  if (status === 'Success') return response.convertedObjects ?? [];
  throw new Error(message || `response.result.status was '${status}', not 'Success'`);
}

function wrongType(result: Partial<KubeObject>, object: KubeObject, apiVersion: string): string | undefined {
  if (result?.apiVersion !== apiVersion) {
    return `invalid groupVersion (expected ${apiVersion}, received ${result?.apiVersion ?? ''})`;
  }
  if (result.kind === object.kind) return undefined;
  return `invalid kind (expected ${object.kind}, received ${result.kind ?? ''})`;
}

/** Upstream: validateConvertedObject */
function changedIdentity({ metadata }: Partial<KubeObject>, object: KubeObject): string | undefined {
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before = '', after = ''] = [object.metadata[field], metadata?.[field]];
    if (before !== after) return `must have the same ${name}: ${before} != ${after}`;
  }
  return undefined;
}

/** Returns the original metadata with the webhook's labels and annotations, or an error. Upstream: restoreObjectMeta */
function restoredMetadata(given: unknown, { metadata }: KubeObject): object | string {
  if (given === undefined) return 'missing metadata in converted object';
  const result: Record<string, unknown> = { ...metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const map = (given as Record<string, unknown> | null)?.[field] ?? undefined;
    delete result[field];
    if (map === undefined) continue;
    if (typeof map !== 'object' || Array.isArray(map)) {
      return `invalid metadata.${field} of type ${goType(map)} in converted object`;
    }
    const odd = Object.entries(map as object).find(([, value]) => typeof value !== 'string');
    if (odd)
      return `metadata.${field}[${odd[0]}] must be a string, but is ${goType(odd[1])} in converted object`;
    const causes = causesOf(field, map as Record<string, string>, metadata[field] ?? {});
    if (causes.length > 0) return aggregate(causes);
    result[field] = map;
  }
  return result;
}

type StringMap = Readonly<Record<string, string>>;

/** Returns the violations in changed labels or annotations. Unchanged ones are valid or older than the rules. */
function causesOf(field: 'labels' | 'annotations', map: StringMap, before: StringMap): readonly Cause[] {
  const isSame =
    Object.keys(map).length === Object.keys(before).length &&
    Object.entries(map).every(([key, value]) => before[key] === value);
  if (isSame) return [];
  return field === 'labels'
    ? validateLabels(map, 'metadata.labels')
    : validateAnnotations(map, 'metadata.annotation');
}

function aggregate(causes: readonly Cause[]): string {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}

function goType(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return '[]interface {}';
  if (value === null) return '<nil>';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}
