// Says which regular expressions take more than linear time: [[place, source, flags], …] as JSON in, a line for each out.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { check } = createRequire(new URL('../web/package.json', import.meta.url))('recheck')
// Bounded by characters that are read: what is found does not depend on the time that the machine takes.
const UNTIMED = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

const known = new Map() // the same pattern stands in several places
for (const [place, source, flags] of JSON.parse(readFileSync(0, 'utf8'))) {
  const key = `${flags}/${source}`
  if (!known.has(key)) known.set(key, await check(source, flags, UNTIMED))
  const found = known.get(key)
  if (found.status !== 'safe') {
    const why = found.status === 'vulnerable' ? `${found.complexity.summary}: ${found.attack.pattern}` : found.error.kind
    console.log(`${place}  ${source}  ${why}`)
  }
}
process.exit(0) // the process of `recheck` goes on waiting for questions
