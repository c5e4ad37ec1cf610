import type { Resource } from '../../api/resource.ts';
import { genericServerResponse } from '../../api/server-response.ts';
import { openApiPaths, serveOpenApi } from '../openapi/serve.ts';
import { plainOrAggregated, serveAggregated } from './aggregated-discovery.ts';
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  groupsOf,
  isServed,
  versionsOf,
} from './discovery.ts';
import { health, healthPaths } from './health.ts';
import { METRICS_MEDIA_TYPE, type Metrics } from './metrics.ts';
import { negotiate, negotiateOrThrow } from './negotiation.ts';
import type { RequestInfo } from './request-info.ts';
import { respond, respondText } from './respond.ts';
import type { Version } from './version.ts';

interface NonResourceRequest {
  readonly info: RequestInfo;
  readonly request: Request;
  /** Host and port that the client connected to. */
  readonly host: string;
  readonly resources: readonly Resource[];
  readonly version: Version;
  readonly metrics: Metrics;
}

/**
 * Answers a request that names no resource, or a resource of a group that is not served.
 *
 * Such paths are discovery, version, health, and unknown paths.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/handler.go director
 *
 * @returns undefined if the request names a resource of a served group
 * @throws StatusError NotFound, MethodNotAllowed, NotAcceptable
 */
export function serveNonResource({
  info,
  request,
  host,
  resources,
  version,
  metrics,
}: NonResourceRequest): Response | undefined {
  const [prefix = '', group = '', groupVersion = '', ...more] = info.path
    .replace(/^\/+|\/+$/g, '')
    .split('/');
  const isApi = prefix === 'api' || (prefix === 'apis' && (group === '' || isServed(resources, group)));
  if (isApi && info.isResourceRequest) return undefined;

  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const object = (body: object): Response => {
    if (!isRead) throw genericServerResponse({ code: 405 });
    return respond({ code: 200, body }, request, negotiateOrThrow(request.headers.get('accept')));
  };
  /** Answers that are not API objects are always JSON, whatever the client accepts. */
  const raw = (body: object): Response => {
    if (!isRead) throw genericServerResponse({ code: 405 });
    return respond({ code: 200, body }, request, { mediaType: 'application/json' });
  };
  const discovery = (name: 'api' | 'apis', plain: object): Response => {
    const accepted = negotiate(request.headers.get('accept'), plainOrAggregated, [
      'application/json',
      'application/yaml',
    ]);
    if (!accepted?.convert || !isRead) return object(plain);
    return serveAggregated(request, resources, name, accepted);
  };

  switch (prefix) {
    case 'api':
      if (group === '') return discovery('api', apiVersions(resources, host));
      if (isServed(resources, '', group)) return object(apiResourceList(resources, group));
      throw genericServerResponse({ code: 404 });
    case 'apis':
      if (group === '') return discovery('apis', apiGroupList(resources));
      if (!isApi) break;
      if (groupVersion === '') return object(apiGroup(resources, group));
      if (isServed(resources, group, groupVersion) && more.length === 0) {
        return object(apiResourceList(resources, `${group}/${groupVersion}`));
      }
      throw genericServerResponse({ code: 404 });
    case 'version':
      return raw(version);
    case 'openapi': {
      const { path } = info;
      const answer = serveOpenApi({ request, path, resources, release: version.gitVersion });
      if (answer !== undefined) return answer;
      break;
    }
    case 'healthz':
    case 'livez':
    case 'readyz': {
      const check = [group, groupVersion, ...more].filter(Boolean).join('/');
      const text = health(prefix, check, new URL(request.url).searchParams);
      if (text === undefined) break;
      return respondText(200, text);
    }
    case 'metrics':
      return respondText(200, metrics.text(version), METRICS_MEDIA_TYPE);
    case '':
      return raw({ paths: listedPaths(resources) });
  }
  return respondText(404, '404 page not found\n');
}

function listedPaths(resources: readonly Resource[]): readonly string[] {
  const versions = groupsOf(resources).flatMap((group) => {
    const root = group ? `/apis/${group}` : '/api';
    return [root, ...versionsOf(resources, group).map((version) => `${root}/${version}`)];
  });
  return [...versions, ...openApiPaths, ...healthPaths, '/apis', '/metrics', '/version'].sort();
}
