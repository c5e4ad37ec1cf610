import type { RequestInfo } from './request-info.ts';
import type { Version } from './version.ts';

/** The labels that identify a row of a metric. */
type Labels = Readonly<Record<string, string>>;

/** The media type of the answer. */
export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Counters of a handler, for `/metrics`.
 *
 * Differs: upstream has several hundred metrics.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/metrics/metrics.go requestCounter;
 * kubernetes/component-base@v0.36.3 metrics/version.go buildInfo
 */
export class Metrics {
  readonly #requests = new Map<string, number>();

  /** Counts one request. @param code - the status code of its answer */
  count({ isResourceRequest, ...info }: RequestInfo, dryRun: boolean, code: number): void {
    const labels = labelled({
      code: String(code),
      component: 'apiserver',
      dry_run: dryRun ? 'All' : '',
      group: info.apiGroup,
      resource: info.resource,
      scope: isResourceRequest ? scopeOf(info) : '',
      subresource: isResourceRequest ? info.subresource : withoutSlashes(info.path),
      verb: info.verb.toUpperCase(),
      version: info.apiVersion,
    });
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
  }

  /** Returns all metrics in the text format of Prometheus. */
  text(version: Version): string {
    const { major, minor, gitVersion, goVersion, platform } = version;
    const built = labelled({ git_version: gitVersion, go_version: goVersion, major, minor, platform });
    const requests = [...this.#requests].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      '# HELP apiserver_request_total How many requests were answered, by what they asked for and by the code of the answer.',
      '# TYPE apiserver_request_total counter',
      ...requests.map(([labels, count]) => `apiserver_request_total${labels} ${count}`),
      '# HELP kubernetes_build_info Which release this is.',
      '# TYPE kubernetes_build_info gauge',
      `kubernetes_build_info${built} 1`,
      '',
    ].join('\n');
  }
}

function scopeOf({ name, namespace }: Pick<RequestInfo, 'name' | 'namespace'>): string {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(',')}}`;
}

/** Returns the path without the slashes at its end. */
function withoutSlashes(path: string): string {
  return path.slice(0, path.search(/[^/]\/*$/) + 1);
}
