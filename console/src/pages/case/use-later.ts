// A value as it was when it last stood still, so that typing does not ask for every letter.

import { useEffect, useRef, useState } from 'react'

const STILL_MS = 350

export function useLater<Value>(value: Value): Value {
  const [later, setLater] = useState(value)
  const latest = useRef(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    latest.current = value
  })
  useEffect(() => {
    const timer = setTimeout(() => {
      setLater((former) => (JSON.stringify(former) === text ? former : latest.current))
    }, STILL_MS)
    return () => clearTimeout(timer)
  }, [text])
  return later
}
