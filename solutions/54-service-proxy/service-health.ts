import type { HttpAnswer } from '#harness';
import type { Entry } from './rule-book.ts';

/**
 * Serves HTTP on a port of this node. @returns a function that closes the port @throws Error when the port is in use
 */
export type Listen = (port: number, answer: () => HttpAnswer) => () => void;

/** An open port. */
interface Check {
  readonly port: number;
  readonly close: () => void;
}

/**
 * Serves the health checks of load balancers on a port for each service that has one: they report whether this node has
 * endpoints of the service.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/healthcheck/service_health.go server
 */
export class ServiceHealth {
  readonly #listen: Listen;
  readonly #log: (message: string) => void;
  readonly #checks = new Map<string, Check>();
  readonly #endpoints = new Map<string, number>();

  constructor(listen: Listen, log: (message: string) => void) {
    this.#listen = listen;
    this.#log = log;
  }

  /** Opens and closes ports, and counts endpoints, to match the current services. */
  sync(entries: readonly Entry[]): void {
    const ports = new Map<string, number>();
    const addresses = new Map<string, Set<string>>();
    for (const { port, all } of entries) {
      if (port.healthCheckNodePort === undefined) continue;
      ports.set(port.service, port.healthCheckNodePort);
      const ready = addresses.get(port.service) ?? new Set();
      for (const { isLocal, isReady, ip } of all) if (isLocal && isReady) ready.add(ip);
      addresses.set(port.service, ready);
    }
    for (const [service, check] of this.#checks) {
      if (ports.get(service) !== check.port) this.#close(service, check);
    }
    for (const [service, port] of ports) {
      this.#endpoints.set(service, addresses.get(service)?.size ?? 0);
      if (!this.#checks.has(service)) this.#open(service, port);
    }
  }

  /** Closes all ports. */
  close(): void {
    for (const [service, check] of this.#checks) this.#close(service, check);
  }

  #open(service: string, port: number): void {
    try {
      this.#checks.set(service, { port, close: this.#listen(port, () => this.#answer(service)) });
    } catch (error) {
      // This failure affects nothing else, and the port may be free at the next sync.
      this.#log(`no load balancer can ask for ${service} on port ${port}: ${error}`);
    }
  }

  #close(service: string, { close }: Check): void {
    this.#checks.delete(service);
    this.#endpoints.delete(service);
    close();
  }

  #answer(service: string): HttpAnswer {
    const [namespace, name] = service.split('/');
    const localEndpoints = this.#endpoints.get(service) ?? 0;
    return {
      status: localEndpoints > 0 ? 200 : 503,
      headers: {
        'content-type': 'application/json',
        'x-content-type-options': 'nosniff',
        'x-load-balancing-endpoint-weight': `${localEndpoints}`,
      },
      body: JSON.stringify({ service: { namespace, name }, localEndpoints, serviceProxyHealthy: true }),
    };
  }
}
