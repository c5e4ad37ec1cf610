import { quote } from '../../api/names.ts';

/** A health endpoint: `readyz` reports readiness, `livez` liveness, and the older `healthz` both. */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/**
 * The checks of each endpoint. All checked components run in this process, so any answer means that they are healthy.
 *
 * Differs: upstream's list is longer; each hook that runs after the start is a separate check.
 */
const CHECKS: Readonly<Record<HealthEndpoint, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd'],
  livez: ['ping', 'log', 'etcd'],
  readyz: ['ping', 'log', 'etcd', 'informer-sync', 'shutdown'],
};

/** The paths of the endpoints and of their individual checks. */
export const healthPaths: readonly string[] = Object.entries(CHECKS).flatMap(([name, checks]) => [
  `/${name}`,
  ...checks.map((check) => `/${name}/${check}`),
]);

/**
 * Returns the health report for `/readyz`, `/readyz?verbose`, `/readyz?exclude=etcd` or `/readyz/etcd`.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/healthz/healthz.go handleRootHealth, adaptCheckToHandler
 *
 * @param path - the rest of the path after the name of the endpoint; may be `''`
 * @returns undefined if the check does not exist
 */
export function health(name: HealthEndpoint, path: string, query: URLSearchParams): string | undefined {
  const checks = CHECKS[name];
  if (path !== '') return checks.includes(path) ? 'ok' : undefined;
  if (!query.has('verbose')) return 'ok';
  const excluded = new Set(query.getAll('exclude'));
  const lines = checks.map((check) => `[+]${check} ${excluded.has(check) ? 'excluded: ' : ''}ok\n`);
  const unknown = [...excluded].filter((each) => !checks.includes(each)).sort();
  if (unknown.length > 0) {
    const matches = unknown.map(quote).join(',');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${matches}\n`);
  }
  return `${lines.join('')}${name} check passed\n`;
}
