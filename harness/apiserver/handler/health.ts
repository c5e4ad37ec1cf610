import { quote } from '../../api/names.ts';

/** Whose health is asked for: whether it may serve, whether it lives, or both as one once asked. */
export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/**
 * What is looked at. All of it is in this process, and so it is well as long as anything is answered.
 *
 * Differs: upstream's list is longer: each hook that runs after the start is a check of its own.
 */
const CHECKS: Readonly<Record<HealthEndpoint, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd'],
  livez: ['ping', 'log', 'etcd'],
  readyz: ['ping', 'log', 'etcd', 'informer-sync', 'shutdown'],
};

/** The paths at which one check is asked for by itself, and those of all. */
export const healthPaths: readonly string[] = Object.entries(CHECKS).flatMap(([name, checks]) => [
  `/${name}`,
  ...checks.map((check) => `/${name}/${check}`),
]);

/**
 * `/readyz`, `/readyz?verbose`, `/readyz?exclude=etcd`, `/readyz/etcd`: what is said of the server's health.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/server/healthz/healthz.go handleRootHealth, adaptCheckToHandler
 *
 * @param path what follows the name of the endpoint; `''` for nothing
 * @returns undefined when there is no such check
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
