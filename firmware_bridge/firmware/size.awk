# Reads `avr-size -A`, prints flash and RAM use, fails when too little RAM is left for the stack.
$1 == ".text" { text = $2 }
$1 == ".data" { data = $2 }
$1 == ".bss" { bss = $2 }
$1 == ".noinit" { noinit = $2 }
END {
    ram = data + bss + noinit
    printf "flash %d of 32256 bytes (%.0f %%), RAM %d of 2048 (%.0f %%, of which %d survive a reset), %d left for the stack\n",
        text + data, (text + data) / 322.56, ram, ram / 20.48, noinit, 2048 - ram
    if (ram > limit) { print "too little RAM is left for the stack" > "/dev/stderr"; exit 1 }
}
