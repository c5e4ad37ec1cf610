import { digestOf } from './oci.ts';
import type { Registry } from './registry.ts';
import {
  type Content,
  RegistryError,
  RegistryUnreachable,
  statusTexts,
  type Token,
  type TokenFormRequest,
} from './registry-client.ts';

/**
 * Creates an HTTP handler for registries. The URL of a request selects a registry or a token server.
 *
 * @returns a handler, which answers `Response.error()` for an unreachable host
 *
 * Upstream: opencontainers/distribution-spec@v1.1.1 spec.md "Endpoints"
 */
export function registryHandler(registry: Registry): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return await answer(registry, request, new URL(request.url));
    } catch (error) {
      if (error instanceof RegistryError) return refusal(error);
      if (error instanceof RegistryUnreachable || request.signal.aborted) return Response.error();
      throw error;
    }
  };
}

async function answer(registry: Registry, request: Request, url: URL): Promise<Response> {
  const [, repository, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(url.pathname) ?? [];
  const whose = { authorization: request.headers.get('authorization') ?? undefined, signal: request.signal };
  const { method } = request;
  if (repository !== undefined && reference !== undefined) {
    const asked = { host: url.host, repository, ...whose };
    if (kind === 'manifests' && method === 'HEAD') {
      const { mediaType, digest, size } = await registry.headManifest({ ...asked, reference });
      return new Response(null, { headers: headersOf({ mediaType, digest, size }) });
    }
    if (kind === 'manifests' && method === 'GET') {
      return contentOf(await registry.getManifest({ ...asked, reference }));
    }
    if (kind === 'blobs' && method === 'GET') {
      return contentOf(await registry.getBlob({ ...asked, digest: reference }));
    }
    return new Response(null, { status: 405 });
  }
  const realm = url.origin + url.pathname;
  if (method === 'POST') {
    const form = new URLSearchParams(await request.text());
    return tokenOf(await registry.postToken({ realm, ...fieldsOf(form), signal: request.signal }), [
      'access_token',
    ]);
  }
  if (method !== 'GET') return new Response(null, { status: 405 });
  const scopes = url.searchParams.getAll('scope');
  const service = url.searchParams.get('service') ?? '';
  return tokenOf(await registry.getToken({ realm, service, scopes, ...whose }), ['token', 'access_token']);
}

function fieldsOf(form: URLSearchParams): Omit<TokenFormRequest, 'realm'> {
  const field = (name: string): string => form.get(name) ?? '';
  const grant =
    field('grant_type') === 'refresh_token'
      ? ({ type: 'refresh_token', refreshToken: field('refresh_token') } as const)
      : ({ type: 'password', username: field('username'), password: field('password') } as const);
  return { service: field('service'), scopes: field('scope').split(' ').filter(Boolean), grant };
}

function contentOf({ mediaType, text }: Content): Response {
  const size = Buffer.byteLength(text);
  return new Response(text, { headers: headersOf({ mediaType, digest: digestOf(text), size }) });
}

function headersOf(of: { mediaType: string; digest: string; size: number }): Record<string, string> {
  return {
    'content-type': of.mediaType,
    'content-length': String(of.size),
    'docker-content-digest': of.digest,
  };
}

function tokenOf({ token, expiresInSeconds }: Token, names: readonly string[]): Response {
  const named = Object.fromEntries(names.map((name) => [name, token]));
  return Response.json({ ...named, expires_in: expiresInSeconds });
}

function refusal({ status, challenge, faults, method }: RegistryError): Response {
  return new Response(method === 'HEAD' ? null : JSON.stringify({ errors: faults }), {
    status,
    statusText: statusTexts[status] ?? '',
    headers: {
      'content-type': 'application/json',
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    },
  });
}
