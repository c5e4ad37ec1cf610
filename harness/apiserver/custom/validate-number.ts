import { goNumber } from '../schema/go-format.ts';
import { invalid } from '../validation/field-error.ts';
import { isInt64, Result } from './schema-result.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * Validates a number against its schema.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/validate/validator.go numberValidator
 *
 * Differs: a whole number counts as an integer, even if the client wrote it with a decimal point.
 */
export function numberResult(schema: StructuralSchema, value: number, path: string): Result {
  const { maximum, minimum, multipleOf } = schema;
  const result = new Result();
  const fits = (number: number, what: string): boolean => {
    const why = outOfRange(schema, number);
    if (why) result.addPlain(`${what} value must be of type ${why} in ${path}`);
    return why === undefined;
  };
  fits(value, 'Checked');
  const hold = (
    limit: number | null | undefined,
    what: string,
    why: (limit: number) => string | undefined,
  ) => {
    if (limit === undefined || limit === null) return;
    // For an integer value, the limit is truncated to an integer, too.
    const compared = fits(limit, what) && isInt64(value) ? Math.trunc(limit) : limit;
    const message = why(compared);
    if (message) result.add(path, message, (where) => invalid(where, value, message));
  };
  hold(multipleOf, 'MultipleOf', (step) => {
    if (step <= 0) return `factor MultipleOf declared for ${path} must be positive: ${goNumber(step)}`;
    return isMultiple(value, step) ? undefined : `${path} in body should be a multiple of ${goNumber(step)}`;
  });
  hold(minimum, 'Minimum boundary', (limit) => {
    const { exclusiveMinimum: exclusive } = schema;
    if (exclusive ? value > limit : value >= limit) return undefined;
    return `${path} in body should be greater than ${exclusive ? '' : 'or equal to '}${told(value, limit)}`;
  });
  hold(maximum, 'Maximum boundary', (limit) => {
    const { exclusiveMaximum: exclusive } = schema;
    if (exclusive ? value < limit : value <= limit) return undefined;
    return `${path} in body should be less than ${exclusive ? '' : 'or equal to '}${told(value, limit)}`;
  });
  result.matches++;
  return result;
}

/** Prints a limit in the type of the value. */
const told = (value: number, limit: number): string => goNumber(limit, !isInt64(value));

/** Returns the required type and format if the number has another one. Upstream: IsValueValidAgainstRange */
function outOfRange(
  { type, format, 'x-kubernetes-int-or-string': isEither }: StructuralSchema,
  value: number,
) {
  if (isEither) return undefined;
  if (type === 'integer') {
    const isInt32 = format === 'int32';
    const fits = isInt32 ? Number.isInteger(value) && (value | 0) === value : isInt64(value);
    if (fits) return undefined;
    return isInt32 || format === 'int64' ? `integer with format ${format}` : 'integer (default format)';
  }
  if (type === 'number' && format === 'float' && !Number.isFinite(Math.fround(value))) {
    return 'number with format float';
  }
  return undefined;
}

/** Upstream: MultipleOf, and IsFloat64AJSONInteger for what is nearly whole */
function isMultiple(value: number, step: number): boolean {
  if (isInt64(value) && Number.isInteger(step)) return value % step === 0;
  const times = step < 1 ? (1 / step) * value : value / step;
  const whole = Math.round(times);
  if (Math.abs(times) > Number.MAX_SAFE_INTEGER) return false;
  return times === whole || (whole !== 0 && Math.abs(times - whole) < 1e-9 * Math.abs(whole));
}
