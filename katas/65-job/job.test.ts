import './levels/1-ended.test.ts';
import './levels/2-backoff.test.ts';
