import type { AdmissionHistory } from '../history.ts';
import { judgeAdmit } from './admit.ts';
import { judgeAlways } from './always.ts';
import { Findings, type Reading } from './findings.ts';
import { judgeQuotas } from './usage.ts';
import { judgeValidate } from './validate.ts';

const readings = new WeakMap<AdmissionHistory, Reading>();

/** Judges a history, once for all laws. */
export function readingOf(history: AdmissionHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const findings = new Findings();
  judgeAlways(history, findings);
  for (const phase of history.phases) {
    if (phase.method === 'admit') judgeAdmit(history, phase, findings);
    else judgeValidate(history, phase, findings);
  }
  judgeQuotas(history, findings);
  readings.set(history, findings);
  return findings;
}
