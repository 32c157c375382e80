;; SPDX-License-Identifier: GPL-3.0-or-later
;; Guix: put the tarball next to this file, then guix package --install-from-file=foretime.scm
(use-modules (guix packages)
             (guix gexp)
             (guix build-system copy)
             ((guix licenses) #:prefix license:))

(define version "0.2.0")

(package
  (name "foretime")
  (version version)
  ;; To pin it: the sum is that of foretime-0.2.0-linux-x86_64.sha256.
  (source (local-file (string-append "foretime-" version "-linux-x86_64.tar.gz")))
  (build-system copy-build-system)
  (arguments
   ;; Its own loader and libraries are inside: nothing is patched.
   '(#:install-plan '(("." "./"))
     #:strip-binaries? #f
     #:validate-runpath? #f))
  (supported-systems '("x86_64-linux"))
  (synopsis "Predict what a run will cost before you start it")
  (description "foretime measures a program at a few sizes and predicts what any size will cost (time, memory,
instructions, energy), with a prediction interval.")
  (home-page "https://foretime.invalid")
  (license license:gpl3+))
