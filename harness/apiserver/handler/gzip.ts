import { gzip } from '#platform/compression';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/writers.go defaultGzipThresholdBytes */
const THRESHOLD_BYTES = 128 * 1024;

/** Upstream: writers.go defaultGzipContentEncodingLevel */
const LEVEL = 1;

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const BYTES_PER_UNIT_MAX = 3;

/**
 * Reports whether to compress the answer: the client accepts gzip, and the body is long. Only the bare word `gzip` in
 * `Accept-Encoding` counts; `gzip;q=1` does not.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/writers.go negotiateContentEncoding,
 * deferredResponseWriter
 */
export function isGzipped(request: Request, body: string | Uint8Array): boolean {
  if (!isLong(body)) return false;
  const accepted = request.headers.get('accept-encoding')?.split(',') ?? [];
  return accepted.some((each) => each.trim() === 'gzip');
}

/** Returns a stream that compresses the body on the first read, in another thread if the platform can. */
export function gzipStream(body: string | Uint8Array, level: number = LEVEL): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(await gzip(body, level));
      controller.close();
    },
  });
}

function isLong(body: string | Uint8Array): boolean {
  if (body.length > THRESHOLD_BYTES) return true;
  if (typeof body !== 'string' || body.length * BYTES_PER_UNIT_MAX <= THRESHOLD_BYTES) return false;
  return Buffer.byteLength(body) > THRESHOLD_BYTES;
}
