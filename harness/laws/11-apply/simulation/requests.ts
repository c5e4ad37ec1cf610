import type { KubeObject, ObjectKey } from '../../../api/objects.ts';
import { errors } from '../../../api/status.ts';
import { nameOf } from '../../../client/connection.ts';
import { type Client, ConnectionError } from '../../../contracts/index.ts';
import { type ApiAnswer, type ApiRequest, targetOf } from '../../../contracts/request.ts';
import { RequestClient, sendTo } from '../../../contracts/request-client.ts';
import type { Line } from '../../../sim/index.ts';
import { type ApplyRecord, isChange, type RequestRecord } from '../history.ts';
import type { FaultReason, Interruption, RequestVerb } from '../scenario/index.ts';

/** The server's side of an apply's requests. */
export interface Serving {
  /** Returns the client of the replica for the next request. */
  server(): Client;
  read(record: RequestRecord): KubeObject | undefined;
  interrupt(interruption: Interruption): Promise<void>;
  /** Asks whether the server accepts a right request in place of a refused one. */
  judgeRefusal(record: RequestRecord, apply: ApplyRecord, error: unknown): Promise<boolean | undefined>;
}

/** Returns the client of one apply: its requests are recorded, interrupted and disturbed as the plan says. */
export function clientOf(apply: ApplyRecord, line: Line, nowMs: () => number, serving: Serving): Client {
  const counts = new Map<RequestVerb, number>();
  return new RequestClient((request) => {
    const { verb, resource } = request;
    const record: RequestRecord = {
      number: apply.requests.length,
      request,
      verb,
      resource,
      key: targetOf(request),
      sentMs: nowMs(),
    };
    apply.requests.push(record);
    const perform = async (): Promise<ApiAnswer> => {
      record.arrivedMs = nowMs();
      const kind = kindOf(record);
      const count = kind === undefined ? 0 : (counts.get(kind) ?? 0);
      if (kind !== undefined) counts.set(kind, count + 1);
      const { during = [], faults = [] } = apply.plan;
      const interruptions = during.filter((each) => each.verb === kind && each.skip === count);
      for (const each of interruptions) if (each.when === 'before') await serving.interrupt(each);
      const fault = faults.find(
        ({ verb, skip, times }) => verb === kind && count >= skip && count < skip + times,
      );
      if (fault) record.fault = fault.reason;
      record.before = serving.read(record);
      try {
        return await answer(record, fault?.reason, () => sendTo(serving.server())(request));
      } catch (error) {
        if (isChange(record) && fault === undefined) {
          const accepted = await serving.judgeRefusal(record, apply, error);
          if (accepted !== undefined) record.alternative = { accepted };
        }
        throw error;
      } finally {
        record.after = serving.read(record);
        for (const each of interruptions) if (each.when === 'after') await serving.interrupt(each);
      }
    };
    const call = line.call<ApiAnswer>({
      port: 'api',
      verb,
      object: nameOf(request as ApiRequest),
      mutates: kindOf(record) !== 'get' && kindOf(record) !== 'list',
      perform,
      signal: request.options.signal,
    });
    return call.then(
      (value) => {
        Object.assign(record, { answer: value, answeredMs: nowMs() });
        return value;
      },
      (error: unknown) => {
        Object.assign(record, { error, answeredMs: nowMs() });
        throw error;
      },
    );
  });
}

function kindOf(record: RequestRecord): RequestVerb | undefined {
  if (isChange(record)) return 'write';
  const { verb } = record;
  return verb === 'get' || verb === 'list' || verb === 'create' || verb === 'delete' ? verb : undefined;
}

async function answer(
  record: RequestRecord,
  fault: FaultReason | undefined,
  send: () => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  if (fault === undefined) return send();
  if (fault !== 'lost before' && fault !== 'lost after') throw refusal(record, fault);
  if (fault === 'lost after') await send().catch(() => {});
  throw new ConnectionError('ECONNRESET', 'read: connection reset by peer');
}

function refusal({ resource, key }: RequestRecord, reason: Exclude<FaultReason, `lost ${string}`>): Error {
  const { name = '' } = key as ObjectKey;
  switch (reason) {
    case 'Conflict':
      return errors.conflict(resource, name, 'the object has been modified; please apply your changes again');
    case 'Invalid':
      return errors.invalid(resource, name, [
        { reason: 'FieldValueInvalid', message: 'Invalid value: refused by a webhook', field: 'spec' },
      ]);
    case 'Forbidden':
      return errors.forbidden(resource, name, 'refused by a webhook');
    case 'InternalError':
      return errors.internal('etcdserver: leader changed');
    case 'Timeout':
      return errors.timeout('request did not complete within requested timeout');
    case 'TooManyRequests':
      return errors.tooManyRequests('too many requests', 1);
  }
}
